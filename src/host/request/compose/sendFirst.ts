/** The longest wait of views for a request, in ms. A server, a summary or the user may delay the request for longer. */
const LONGEST_MS = 1_000;

/** Lets a request reach its provider before the views of its chat compose the next one. */
export class SendFirst {
  #sent: Promise<void> = Promise.resolve();
  #release = (): void => undefined;

  /** Makes views wait until `release`, at most `LONGEST_MS`. */
  hold(): void {
    this.#release();
    this.#sent = new Promise((resolve) => {
      const timer = setTimeout(resolve, LONGEST_MS).unref();
      this.#release = () => {
        clearTimeout(timer);
        // The run goes on first.
        setImmediate(resolve);
      };
    });
  }

  /** Call this when the request is sent, or will not be sent. */
  release(): void {
    this.#release();
  }

  /** Resolves when views may compose. */
  wait(): Promise<void> {
    return this.#sent;
  }
}
