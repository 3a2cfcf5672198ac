/** Runs jobs one after another, in the order of the calls. After a failed job, later jobs still run. */
export class JobQueue {
  #last: Promise<unknown> = Promise.resolve();

  next<T>(job: () => Promise<T>): Promise<T> {
    const done = this.#last.then(job);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
