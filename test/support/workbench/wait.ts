import { timeLimit } from '../limits.mjs';

/** For anything in a window. Opening one takes half a minute on a busy computer. */
export const TIMEOUT_MS = timeLimit(60_000);
const POLL_MS = 50;

/** Waits until `probe` returns a value. Throws with `what` in its message after the time limit. */
export async function waitFor<T>(what: string, probe: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const found = await probe();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`Waited ${TIMEOUT_MS / 1000} s in vain for ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
