import type { ChatListItem } from '../../src/protocol/view.js';

/** The chats whose title contains every word of the filter, ignoring case. Messages are searched by the host. */
export function filterChats(chats: readonly ChatListItem[], filter: string): readonly ChatListItem[] {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return chats.filter((chat) => {
    const title = chat.title.toLowerCase();
    return words.every((word) => title.includes(word));
  });
}
