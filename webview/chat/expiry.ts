import { html, type TemplateResult } from 'lit';
import { CountdownElement } from '../shared/countdown.js';
import { minutes } from '../shared/numbers.js';

/** How long the cache keeps what the next request would read, until `at`. */
export class ExpiryElement extends CountdownElement {
  static override properties = { ...CountdownElement.properties, isShort: { attribute: false } };
  /** Whether there is little room. */
  declare isShort: boolean;

  protected override render(): TemplateResult {
    const left = this.at - Date.now();
    return left < 0 ? html`expired` : html`expires ${this.isShort ? '' : 'in '}${minutes(left)}`;
  }
}
