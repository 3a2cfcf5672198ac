import type { ChatListItem } from '../../src/protocol/view.js';

/** The chats whose title or preview contains every word of the filter, ignoring case. */
export function filterChats(chats: readonly ChatListItem[], filter: string): readonly ChatListItem[] {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return chats.filter((chat) => {
    const text = `${chat.title}\n${chat.preview}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
