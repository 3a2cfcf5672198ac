import { html, nothing, type TemplateResult } from 'lit';
import type { ManagedSections } from '../../../src/protocol/panel/manager.js';
import type { PanelState } from '../../../src/protocol/panel/state.js';
import type { Disclosures } from '../../shared/controls/disclosures.js';
import { costPerToken } from '../rows/prices.js';
import type { Pane } from './header.js';

interface PaneScope {
  readonly disclosures: Disclosures;
  /** Called when the pane closes. `isChosen`: whether the user chose a chat in the pane. */
  readonly onClose: (isChosen: boolean) => void;
  /** Called with the visible sections of the context pane, or with null when this pane closes. */
  readonly onManaged: (sections: ManagedSections | null) => void;
}

/** Whether a pane or the preview of a summary covers the conversation. */
export function isPaneOpen(pane: Pane, view: PanelState): boolean {
  return pane !== 'none' || view.summaryPreview !== null;
}

export function openPane(pane: Pane, view: PanelState, { disclosures, onClose, onManaged }: PaneScope): TemplateResult | typeof nothing {
  const { chat, chats, nextRequest, manager, chatTexts, allowedTools, itemProof, summaryPreview: preview } = view;
  if (pane === 'chats') {
    return html`<loupe-chat-list .chats=${chats} .currentId=${chat?.id ?? null} .onClose=${onClose}></loupe-chat-list>`;
  }
  if (chat === null) {
    return nothing;
  }
  if (pane === 'settings') {
    return html`<loupe-settings
      .chat=${chat}
      .disclosures=${disclosures}
      .onClose=${() => {
        onClose(false);
      }}
    ></loupe-settings>`;
  }
  if (pane === 'manager') {
    return html`<loupe-manager
      .chat=${chat}
      .hasFolder=${view.hasFolder}
      .manager=${manager}
      .texts=${chatTexts}
      .allowedTools=${allowedTools}
      .itemProof=${itemProof}
      .costPerToken=${nextRequest === null ? null : costPerToken(nextRequest)}
      .disclosures=${disclosures}
      .onShow=${onManaged}
      .onClose=${() => {
        onClose(false);
      }}
    ></loupe-manager>`;
  }
  return preview === null
    ? nothing
    : html`<loupe-summary-pane .preview=${preview} .chat=${chat} .disclosures=${disclosures}></loupe-summary-pane>`;
}
