import type { ToolCallOptions } from '../../../engine/ports.js';

/** Longest time a tool reads the workspace. In 20 seconds, a disk returns more than a model needs. */
const LONGEST_MS = 20_000;

export const LONGEST_SECONDS = LONGEST_MS / 1_000;

/** Runs work that reads the workspace. Returns null after the time limit. Rejects when the call is stopped. */
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
