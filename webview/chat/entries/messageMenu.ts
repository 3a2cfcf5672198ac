import { html, nothing, type TemplateResult } from 'lit';
import type { UserEntry, AssistantEntry } from '../../../src/protocol/panel/entries.js';
import { iconButton } from '../../shared/controls/buttons.js';
import { post } from '../../shared/events.js';
import { openSummary } from '../rows/opening.js';
import type { MenuItem } from '../../shared/controls/menu.js';
import { inclusionDetail, inclusionNote, exclusionDetail, exclusionNote } from '../request/exclusion.js';
import type { EntryScope } from '../request/scope.js';

type MessageEntry = Pick<UserEntry | AssistantEntry, 'id' | 'isPinned'> & {
  readonly isTurnExcluded: boolean;
  /** Whether the chat can be forked after this message. */
  readonly canFork: boolean;
};

/** The menu of a message. Without items, it is disabled. */
export function messageMenu(items: readonly MenuItem[]): TemplateResult {
  return html`<loupe-menu .label=${'More'} .icon=${'ellipsis'} .isDisabled=${items.length === 0} .items=${items}></loupe-menu>`;
}

/** Returns the items of the menu. A chat that the user cannot change can still be forked. */
export function menuItems(entry: MessageEntry, scope: EntryScope): readonly MenuItem[] {
  return [...(scope.isLocked ? [] : changeItems(entry, scope)), ...(entry.canFork ? [forkItem(entry, scope)] : [])];
}

function forkItem({ id }: MessageEntry, { chatId, from }: EntryScope): MenuItem {
  return {
    label: 'Fork',
    detail: 'Copies the chat up to this message into a new chat',
    note: null,
    onChoose: () => {
      post(from, { type: 'fork', chatId, messageId: id });
    },
  };
}

function changeItems({ id, isPinned, isTurnExcluded }: MessageEntry, scope: EntryScope): readonly MenuItem[] {
  const { chatId, from } = scope;
  return [
    {
      label: isPinned ? 'Unpin' : 'Pin',
      detail: isPinned ? 'A summary may replace this message again' : 'Requests keep this message word for word, even after a summary',
      note: null,
      onChoose: () => {
        post(from, { type: isPinned ? 'unpin' : 'pin', chatId, messageId: id });
      },
    },
    ...turnItem(isTurnExcluded, scope),
    {
      label: 'Summarize up to here',
      detail: 'A summary replaces this message and all messages above it',
      note: null,
      onChoose: () => {
        openSummary(from, id);
      },
    },
  ];
}

/** Returns the menu item that excludes or includes a turn. Empty when this would change no request. */
function turnItem(isExcluded: boolean, { chatId, from, userMessageId, turnExclusion }: EntryScope): readonly MenuItem[] {
  if (userMessageId === null) {
    return [];
  }
  if (isExcluded) {
    const onChoose = (): void => {
      post(from, { type: 'include', chatId, messageId: userMessageId, call: null });
    };
    const detail = inclusionDetail('Requests contain the message and its reply again', turnExclusion);
    return [{ label: 'Include again', detail, note: inclusionNote(turnExclusion), onChoose }];
  }
  if (turnExclusion === null) {
    return [];
  }
  const onChoose = (): void => {
    post(from, { type: 'exclude', chatId, messageId: userMessageId, call: null, leaves: 'later' });
  };
  const detail = exclusionDetail('Excludes your message with its replies and tool calls', turnExclusion);
  return [{ label: 'Exclude from requests', detail, note: exclusionNote(turnExclusion), onChoose }];
}

export function pinned(
  { id, isPinned }: Pick<MessageEntry, 'id' | 'isPinned'>,
  { chatId, from, isLocked }: EntryScope,
): TemplateResult | typeof nothing {
  if (!isPinned) {
    return nothing;
  }
  const unpin = ({ currentTarget }: Event): void => {
    post(from, { type: 'unpin', chatId, messageId: id });
    // Focuses the message, because the pin button disappears.
    (currentTarget as Element).closest('article')?.focus({ preventScroll: true });
  };
  return html`<span class="pin">${iconButton({ label: 'Pinned', icon: 'pinned', pressed: true, disabled: isLocked, onClick: unpin })}</span>`;
}
