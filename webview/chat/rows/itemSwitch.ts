import { html, type TemplateResult } from 'lit';
import type { ToHost } from '../../../src/protocol/panel/toHost.js';
import { posting } from '../../shared/events.js';
import { revealHidden } from '../../shared/hidden.js';

export interface ItemSwitch {
  readonly chatId: string;
  readonly key: string;
  readonly name: string;
  /** `in`: the chat contains the item. `picked`: Loupe picked the item for the message. `out`: not in the request. */
  readonly state: 'in' | 'picked' | 'out';
}

const TITLES = { in: 'Remove from this chat', picked: 'Do not pick in this chat', out: 'Add to this chat' } as const;

/** The switch that adds an item, removes it, or stops Loupe from picking it. Changes when the host replies. */
export function itemSwitch({ chatId, key, name, state }: ItemSwitch): TemplateResult {
  return html`<span class="checkbox">
    <input
      type="checkbox"
      aria-label="Send ${revealHidden(name)}"
      title=${TITLES[state]}
      .checked=${state !== 'out'}
      @click=${(event: Event) => {
        event.preventDefault();
        posting(messageOf(state, chatId, key))(event);
      }}
    />
  </span>`;
}

function messageOf(state: ItemSwitch['state'], chatId: string, key: string): ToHost {
  switch (state) {
    case 'in':
      return { type: 'removeItems', chatId, keys: [key] };
    case 'picked':
      return { type: 'leaveOutItems', chatId, keys: [key] };
    case 'out':
      return { type: 'addCatalogItems', chatId, keys: [key] };
  }
}
