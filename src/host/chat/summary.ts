import { chatOpening } from '../../engine/chat/opening.js';
import { type ChatState, countMessages } from '../../engine/chat/state.js';
import type { ChatListItem } from '../../protocol/view.js';
import type { ChatRow } from '../../storage/index/opened.js';

/** What a chat is called before anything was said in it. */
export const UNTITLED = 'New chat';

export function chatTitle(state: ChatState): string {
  return titleOf({ title: state.title, opening: chatOpening(state) });
}

/** A chat's row in the list. */
export function summarize(state: ChatState): ChatListItem {
  const { chatId, title, updatedAt } = state;
  const row = { title, opening: chatOpening(state), messages: countMessages(state), updatedAt };
  return { ...rowItem(chatId, row), running: [...state.runs.values()].at(-1)?.status === 'running' };
}

/** The row of a chat that rests. */
export function rowItem(id: string, row: ChatRow): ChatListItem {
  const { messages: messageCount, updatedAt } = row;
  return { id, title: titleOf(row), preview: row.opening?.preview ?? '', messageCount, updatedAt, running: false };
}

function titleOf({ title, opening }: Pick<ChatRow, 'title' | 'opening'>): string {
  const line = opening?.line ?? '';
  return title ?? (line === '' ? UNTITLED : line);
}
