/** A condition that a test opens, and that others wait for. */
export class Gate {
  readonly opened: Promise<void>;
  #resolve: () => void = () => undefined;

  constructor() {
    this.opened = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  open(): void {
    this.#resolve();
  }
}
