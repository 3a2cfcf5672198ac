import { reactive } from './lightElement.js';
import { TickingElement } from './tickingElement.js';
import { remaining } from './numbers.js';

/** Counts down to a time in epoch milliseconds. Shows the remaining time without other text. */
export class CountdownElement extends TickingElement {
  static override properties = reactive(['at'], []);
  declare at: number;

  protected override render(): unknown {
    return remaining(this.at - Date.now());
  }
}
