import type { ChatListItem, ChatView } from '../../../src/protocol/panel/view.js';

/**
 * Whether another VS Code window is writing a reply in this chat. Only the list of chats shows runs of other windows.
 */
export function isAnsweredElsewhere(chat: ChatView, chats: readonly ChatListItem[] | null): boolean {
  return !chat.running && chats?.find(({ id }) => id === chat.id)?.running === true;
}
