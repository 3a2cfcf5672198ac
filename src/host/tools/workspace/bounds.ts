import type { ToolCallOptions } from '../../../engine/ports.js';

/** Longest that a tool reads the workspace: in 20 seconds a disk gives more than a model wants to know. */
const LONGEST_MS = 20_000;

export const LONGEST_SECONDS = LONGEST_MS / 1_000;

/** Does work that reads the workspace, until the time for it is over: then null. Rejects when the call is stopped. */
export async function inTime<T>({ signal }: Pick<ToolCallOptions, 'signal'>, work: (signal: AbortSignal) => Promise<T>): Promise<T | null> {
  const timeOut = AbortSignal.timeout(LONGEST_MS);
  try {
    return await work(AbortSignal.any([signal, timeOut]));
  } catch (thrown) {
    if (timeOut.aborted && !signal.aborted) {
      return null;
    }
    throw thrown;
  }
}
