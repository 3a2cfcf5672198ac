/** Maximum wait of views for a request, in ms. The start of a server, a summary or the user can delay the request. */
const LONGEST_WAIT_MS = 1_000;

/** Makes the views of a chat wait until Loupe has sent a request. Then the views compose the next request. */
export class SendFirst {
  #sent: Promise<void> = Promise.resolve();
  #release = (): void => undefined;
  #isHeld = false;

  /** Whether a run has begun, and its first request is not sent yet. Views may have stopped waiting for it. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Makes views wait until `release` is called, but at most `LONGEST_WAIT_MS`. */
  hold(): void {
    this.release();
    this.#isHeld = true;
    this.#sent = new Promise((resolve) => {
      const timer = setTimeout(resolve, LONGEST_WAIT_MS).unref();
      this.#release = () => {
        clearTimeout(timer);
        // Lets the run continue before the views.
        setImmediate(resolve);
      };
    });
  }

  /** Lets the waiting views continue. Call it when the request was sent, or will not be sent. */
  release(): void {
    this.#isHeld = false;
    this.#release();
  }

  /** Resolves when views may compose a request. */
  wait(): Promise<void> {
    return this.#sent;
  }
}
