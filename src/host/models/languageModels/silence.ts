import { failure, type LoupeError } from '../../../engine/errors.js';
import type { Clock } from '../../../engine/ports.js';
import { orAborted } from '../../../engine/run/abortRace.js';

/**
 * The value of `promise`. Throws `cancelled` when `signal` aborts, and the error of `late` after `limitMs` without a
 * value; null sets no limit. A later outcome of `promise` is ignored.
 */
export async function within<T>(promise: Promise<T>, wait: Wait): Promise<T> {
  const awake = new AbortController();
  const { limitMs } = wait;
  const late = limitMs === null ? [] : [wait.clock.sleep(limitMs, awake.signal).then(() => 'late' as const)];
  try {
    const first = await orAborted(Promise.race([promise.then((value) => ({ value })), ...late]), wait.signal);
    if (first === 'aborted') {
      throw failure('request.stopped');
    }
    if (first === 'late') {
      throw wait.late();
    }
    return first.value;
  } finally {
    awake.abort();
  }
}

export interface Wait {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly limitMs: number | null;
  readonly late: () => LoupeError;
}
