import { html, nothing, type TemplateResult } from 'lit';
import type { PanelState } from '../../src/protocol/view.js';
import type { Disclosures } from '../shared/disclosures.js';
import type { Pane } from './header.js';

/** The pane that is open over the conversation. `onClose` is told whether the user chose a chat in it. */
export function openPane(pane: Pane, view: PanelState | null, onClose: (isChosen: boolean) => void): TemplateResult | typeof nothing {
  const chat = view?.chat ?? null;
  if (pane === 'chats') {
    return html`<loupe-chat-list .chats=${view?.chats ?? null} .currentId=${chat?.id ?? null} .onClose=${onClose}></loupe-chat-list>`;
  }
  return pane === 'settings' && chat !== null
    ? html`<loupe-settings
        .chat=${chat}
        .onClose=${() => {
          onClose(false);
        }}
      ></loupe-settings>`
    : nothing;
}

/** The pane of a summary that the user looks at before it is used. */
export function summaryPane({ chat, summaryPreview }: PanelState, disclosures: Disclosures): TemplateResult | typeof nothing {
  return chat === null || summaryPreview === null
    ? nothing
    : html`<loupe-summary-pane .preview=${summaryPreview} .chatId=${chat.id} .disclosures=${disclosures}></loupe-summary-pane>`;
}
