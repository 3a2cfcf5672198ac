import { orAborted } from '../../engine/run/abort.js';

export interface WaitLimits {
  /** Longest wait in ms. */
  readonly ms: number;
  /** Its abort ends the wait at once, with its reason. */
  readonly signal: AbortSignal;
  /** The error of a wait that took too long. */
  onSilence(): Error;
}

/** Waits for `work`, but no longer than the limits allow. What becomes of the work after that is of no interest. */
export async function withinLimits<T>(work: Promise<T>, limits: WaitLimits): Promise<T> {
  const first = await firstOf(work, limits);
  limits.signal.throwIfAborted();
  if (first === 'silence') {
    throw limits.onSilence();
  }
  return work;
}

/** Timer and listener last as long as the wait. */
async function firstOf(work: Promise<unknown>, { ms, signal }: WaitLimits): Promise<'settled' | 'aborted' | 'silence'> {
  const over = new AbortController();
  const silence = new Promise<'silence'>((resolve) => {
    const timer = setTimeout(resolve, ms, 'silence');
    over.signal.addEventListener('abort', () => {
      clearTimeout(timer);
    });
  });
  const settle = (): 'settled' => 'settled';
  try {
    return await orAborted(Promise.race([work.then(settle, settle), silence]), signal);
  } finally {
    over.abort();
  }
}
