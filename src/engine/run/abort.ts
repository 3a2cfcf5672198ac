/** What `promise` brings, unless the signal aborts first. Leaves no listener behind on a signal that outlives the wait. */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | 'aborted'> {
  const listening = new AbortController();
  const aborted = new Promise<'aborted'>((resolve) => {
    const abort = (): void => {
      resolve('aborted');
    };
    if (signal.aborted) {
      abort();
    } else {
      signal.addEventListener('abort', abort, { once: true, signal: listening.signal });
    }
  });
  try {
    return await Promise.race([aborted, promise]);
  } finally {
    listening.abort();
  }
}
