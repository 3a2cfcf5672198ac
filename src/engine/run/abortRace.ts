/** Awaits `promise` unless the signal aborts first. Removes its listener, because the signal may outlive the wait. */
export async function raceAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<Awaited<T> | 'aborted'> {
  const race = new AbortRace(signal);
  try {
    return await race.first([promise]);
  } finally {
    race.dispose();
  }
}

/**
 * Races promises against one abort signal, many times in a row. `Promise.race` with one abort promise would leak
 * memory: that promise keeps the result of every race until it settles. In a long stream, this is the whole stream.
 */
export class AbortRace {
  readonly #signal: AbortSignal;
  readonly #listener = (): void => {
    this.#abort();
  };
  #abort: () => void = () => undefined;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', this.#listener, { once: true });
  }

  /** Settles like the first of `promises` to settle, or at an abort. Only the latest call reacts to the abort. */
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

  dispose(): void {
    this.#signal.removeEventListener('abort', this.#listener);
  }
}
