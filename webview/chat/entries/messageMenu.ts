import { html, nothing, type TemplateResult } from 'lit';
import type { UserEntry } from '../../../src/protocol/userEntry.js';
import type { AssistantEntry } from '../../../src/protocol/view.js';
import { iconButton } from '../../shared/buttons.js';
import { post } from '../../shared/events.js';
import { openSummary } from '../openSummary.js';
import type { MenuItem } from '../../shared/menu.js';
import type { EntryScope } from './scope.js';

type MessageEntry = Pick<UserEntry | AssistantEntry, 'id' | 'isPinned'>;

/** The menu of a message, with what is seldom done to it. `isMessage`: whether the entry is part of the conversation yet. */
export function messageMenu(entry: MessageEntry, scope: EntryScope, isMessage: boolean): TemplateResult {
  return html`<loupe-menu .label=${'More'} .isDisabled=${scope.isLocked || !isMessage} .items=${menuItems(entry, scope)}></loupe-menu>`;
}

export function menuItems({ id, isPinned }: MessageEntry, { chatId, from }: EntryScope): readonly MenuItem[] {
  return [
    {
      label: isPinned ? 'Unpin' : 'Pin',
      detail: isPinned ? 'A summary may stand for it again' : 'Goes along word for word, whatever is summarized',
      onChoose: () => {
        post(from, { type: isPinned ? 'unpin' : 'pin', chatId, messageId: id });
      },
    },
    {
      label: 'Summarize up to here',
      detail: 'A summary stands for this message and those above it',
      onChoose: () => {
        openSummary(from, id);
      },
    },
  ];
}

/** The mark of a pinned message, which takes the pin away. */
export function pinned({ id, isPinned }: MessageEntry, { chatId, from, isLocked }: EntryScope): TemplateResult | typeof nothing {
  if (!isPinned) {
    return nothing;
  }
  const unpin = ({ currentTarget }: Event): void => {
    post(from, { type: 'unpin', chatId, messageId: id });
    // The button goes with the pin.
    (currentTarget as Element).closest('article')?.focus({ preventScroll: true });
  };
  return html`<span class="pin">${iconButton({ label: 'Pinned', icon: 'pinned', pressed: true, disabled: isLocked, onClick: unpin })}</span>`;
}
