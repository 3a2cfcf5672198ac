import { html, type TemplateResult } from 'lit';
import type { ChatView, PanelState } from '../../src/protocol/view.js';
import type { Disclosures } from '../shared/disclosures.js';
import { isAnsweredElsewhere } from './answeredElsewhere.js';
import { emptyState } from './emptyState.js';
import { suggestions } from './suggestions.js';

export interface StageScope {
  readonly disclosures: Disclosures;
  readonly onSuggest: (text: string) => void;
  readonly onSettings: () => void;
}

/** The conversation, or what can be done in a chat without one. */
export function stage(view: PanelState, chat: ChatView, { disclosures, onSuggest, onSettings }: StageScope): TemplateResult {
  if (view.entries.length === 0 && chat.earlierMessages === 0) {
    return emptyState({
      isFirst: view.introduction === 'welcome',
      model: chat.model.label,
      suggestions: suggestions(view, chat),
      onSuggest,
      onSettings,
    });
  }
  return html`<loupe-conversation
    .chat=${chat}
    .entries=${view.entries}
    .outputs=${view.outputs}
    .contextRows=${view.contextRows}
    .leavingOut=${view.leavingOut}
    .compaction=${view.compaction}
    .editing=${view.draft.editing}
    .isLocked=${chat.running || chat.readOnly !== null || isAnsweredElsewhere(chat, view.chats)}
    .disclosures=${disclosures}
    .introduction=${view.introduction}
  ></loupe-conversation>`;
}
