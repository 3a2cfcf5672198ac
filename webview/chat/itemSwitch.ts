import { html, type TemplateResult } from 'lit';
import { posting } from '../shared/events.js';
import { revealHidden } from '../shared/hidden.js';

export interface ItemSwitch {
  readonly chatId: string;
  /** The item's key. */
  readonly key: string;
  readonly name: string;
  /** Whether the next request holds it. */
  readonly isOn: boolean;
}

/** Takes an item out of the chat, or adds it by hand. It stays as it is until the host has done so. */
export function itemSwitch({ chatId, key, name, isOn }: ItemSwitch): TemplateResult {
  const post = posting(isOn ? { type: 'removeContext', chatId, key } : { type: 'addCatalogItems', chatId, keys: [key] });
  return html`<span class="checkbox">
    <input
      type="checkbox"
      aria-label="Send ${revealHidden(name)}"
      title=${isOn ? 'Remove it from this chat' : 'Add it to this chat'}
      .checked=${isOn}
      @click=${(event: Event) => {
        event.preventDefault();
        post(event);
      }}
    />
  </span>`;
}
