import { LightElement } from './lightElement.js';

/** Time between two ticks in ms, short enough to show every second. */
const TICK_MS = 250;

/** An element that shows a changing time. Renders again at each tick. */
export abstract class TickingElement extends LightElement {
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
}
