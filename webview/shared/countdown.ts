import { LightElement } from './lightElement.js';
import { remaining } from './numbers.js';

/** In ms: short enough to show every second. */
const TICK_MS = 250;

/** Counts down to a time in epoch milliseconds. Renders the figure only. */
export class CountdownElement extends LightElement {
  static override properties = { at: { attribute: false } };
  declare at: number;
  #timer = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#timer = window.setInterval(() => {
      this.requestUpdate();
    }, TICK_MS);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearInterval(this.#timer);
  }

  protected override render(): unknown {
    return remaining(this.at - Date.now());
  }
}
