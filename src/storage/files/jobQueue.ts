/** Runs jobs one after another in call order. A failed job does not stop the others. */
export class JobQueue {
  #last: Promise<unknown> = Promise.resolve();

  next<T>(job: () => Promise<T>): Promise<T> {
    const done = this.#last.then(job);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
