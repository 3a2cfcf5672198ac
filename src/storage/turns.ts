/** Does jobs one after the other, in the order in which they were asked for; one that fails holds up no other. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Settles as `job` does. */
  next<T>(job: () => Promise<T>): Promise<T> {
    const done = this.#last.then(job);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
