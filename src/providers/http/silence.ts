import { orAborted } from '../../engine/run/abortRace.js';

export interface WaitLimits {
  /** Longest wait in ms. */
  readonly ms: number;
  /** Aborting it ends the wait at once, with its reason. */
  readonly signal: AbortSignal;
  /** The error of a wait that took too long. */
  readonly onSilence: () => Error;
}

/** Waits for `work`, but not longer than `limits` allow. After that, the result of `work` is ignored. */
export async function withinLimits<T>(work: Promise<T>, { ms, signal, onSilence }: WaitLimits): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<'silence'>((resolve) => {
    timer = setTimeout(resolve, ms, 'silence');
  });
  const settle = (): 'settled' => 'settled';
  const first = await orAborted(Promise.race([work.then(settle, settle), silence]), signal);
  clearTimeout(timer);
  signal.throwIfAborted();
  if (first === 'silence') {
    throw onSilence();
  }
  return work;
}
