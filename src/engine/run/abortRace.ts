/** What `promise` brings, unless the signal aborts first. Leaves no listener behind on a signal that outlives the wait. */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<Awaited<T> | 'aborted'> {
  const race = new AbortRace(signal);
  try {
    return await race.first([promise]);
  } finally {
    race.dispose();
  }
}

/**
 * Waits for one thing after another, each until an abort. In a `Promise.race` for each of them the promise of the abort
 * would keep what every race has brought until it settles, which over a long stream is the whole of it.
 */
export class AbortRace {
  readonly #signal: AbortSignal;
  readonly #listening = new AbortController();
  #abort: () => void = () => undefined;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    const abort = (): void => {
      this.#abort();
    };
    signal.addEventListener('abort', abort, { once: true, signal: this.#listening.signal });
  }

  /** What settles first. Only one wait at a time is told of the abort: the latest. */
  first<const T extends readonly Promise<unknown>[]>(promises: T): Promise<Awaited<T[number]> | 'aborted'> {
    return new Promise((resolve, reject) => {
      this.#abort = () => {
        resolve('aborted');
      };
      if (this.#signal.aborted) {
        this.#abort();
      }
      for (const promise of promises) {
        promise.then((value) => {
          resolve(value as Awaited<T[number]>);
        }, reject);
      }
    });
  }

  /** Leaves no listener behind. */
  dispose(): void {
    this.#listening.abort();
  }
}
