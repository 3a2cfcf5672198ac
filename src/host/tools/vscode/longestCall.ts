import { failure } from '../../../engine/errors.js';
import { orAborted } from '../../../engine/run/abortRace.js';

/**
 * The work of a tool of an extension, at most for `ms`: VS Code sets no limit, and a tool may ignore that it is cancelled. Throws a
 * `LoupeError` (`timeout`) then; the reason of `signal` when that aborts first.
 */
export async function withinTime<T>(name: string, ms: number, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const over = new AbortController();
  const timer = setTimeout(() => {
    over.abort(failure('tool.tooLong', { name, minutes: Math.ceil(ms / 60_000) }));
  }, ms);
  const either = AbortSignal.any([signal, over.signal]);
  try {
    const done = await orAborted(work(either), either);
    if (done === 'aborted') {
      throw either.reason;
    }
    return done;
  } finally {
    clearTimeout(timer);
  }
}
