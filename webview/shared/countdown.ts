import { LightElement } from './lightElement.js';
import { remaining } from './numbers.js';

/** Often enough that no second is skipped on screen. */
const TICK_MS = 250;

/** The time until an epoch millisecond, counting down; renders nothing but the figure. */
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

  protected override render(): string {
    return remaining(this.at - Date.now());
  }
}
