import type { ChatListItem, ChatView } from '../../../src/protocol/panel/view.js';

/** Whether another VS Code window is writing a reply in this chat. The list of chats has this information. */
export function isAnsweredElsewhere(chat: ChatView, chats: readonly ChatListItem[] | null): boolean {
  return !chat.running && chats?.find(({ id }) => id === chat.id)?.running === true;
}
