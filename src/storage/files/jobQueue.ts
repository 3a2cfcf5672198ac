/** Runs jobs one after the other, in the order of the calls. A failed job does not stop the others. */
export class JobQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Settles as `job` does. */
  next<T>(job: () => Promise<T>): Promise<T> {
    const done = this.#last.then(job);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
