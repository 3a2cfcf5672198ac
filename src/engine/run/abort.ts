/** Waits for an abort without leaving a listener behind on a signal that outlives the wait. */
export interface AbortWait {
  readonly promise: Promise<'aborted'>;
  dispose(): void;
}

export function whenAborted(signal: AbortSignal): AbortWait {
  const listening = new AbortController();
  const promise = new Promise<'aborted'>((resolve) => {
    const abort = (): void => {
      resolve('aborted');
    };
    if (signal.aborted) {
      abort();
    } else {
      signal.addEventListener('abort', abort, { once: true, signal: listening.signal });
    }
  });
  const dispose = (): void => {
    listening.abort();
  };
  return { promise, dispose };
}
