import { failure } from '../../../engine/errors.js';
import { raceAbort } from '../../../engine/run/abortRace.js';

/**
 * Runs a tool of an extension for at most `ms`. VS Code has no limit, and a tool can ignore its cancellation. Throws a
 * `LoupeError` (`timeout`) after the limit, or the reason of `signal` when it aborts first.
 */
export async function withinTime<T>(name: string, ms: number, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const over = new AbortController();
  const timer = setTimeout(() => {
    over.abort(failure('tool.tooLong', { name, minutes: Math.ceil(ms / 60_000) }));
  }, ms);
  const either = AbortSignal.any([signal, over.signal]);
  try {
    const done = await raceAbort(work(either), either);
    if (done === 'aborted') {
      throw either.reason;
    }
    return done;
  } finally {
    clearTimeout(timer);
  }
}
