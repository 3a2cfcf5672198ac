export class Gate {
  readonly opened: Promise<void>;
  readonly open: () => void;

  constructor() {
    let resolve = (): void => undefined;
    this.opened = new Promise((done) => {
      resolve = done;
    });
    this.open = resolve;
  }
}
