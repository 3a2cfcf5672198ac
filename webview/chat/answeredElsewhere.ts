import type { ChatListItem, ChatView } from '../../src/protocol/view.js';

/** Whether another window answers in a chat. Its row in the list tells of runs in any window, the chat itself of those in this one. */
export function isAnsweredElsewhere(chat: ChatView, chats: readonly ChatListItem[] | null): boolean {
  return !chat.running && chats?.find(({ id }) => id === chat.id)?.running === true;
}
