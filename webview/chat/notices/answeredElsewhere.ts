import type { ChatListItem, ChatView } from '../../../src/protocol/panel/view.js';

/** Whether another window answers in a chat. The list's row knows of runs in any window, the chat only of those in this one. */
export function isAnsweredElsewhere(chat: ChatView, chats: readonly ChatListItem[] | null): boolean {
  return !chat.running && chats?.find(({ id }) => id === chat.id)?.running === true;
}
