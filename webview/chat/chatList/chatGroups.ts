import type { ChatListItem } from '../../../src/protocol/panel/view.js';

export interface ChatGroup {
  readonly title: 'Today' | 'Last 7 days' | 'Older';
  readonly chats: readonly ChatListItem[];
}

const DAY = 86_400_000;

/** Groups the chats by last use, in the order of the list. Days are in local time. */
export function chatGroups(chats: readonly ChatListItem[], now: number): readonly ChatGroup[] {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  const groups: readonly { readonly title: ChatGroup['title']; readonly from: number; readonly to: number }[] = [
    { title: 'Today', from: midnight, to: Infinity },
    { title: 'Last 7 days', from: now - 7 * DAY, to: midnight },
    { title: 'Older', from: -Infinity, to: now - 7 * DAY },
  ];
  return groups
    .map(({ title, from, to }) => ({ title, chats: chats.filter(({ updatedAt }) => updatedAt >= from && updatedAt < to) }))
    .filter((group) => group.chats.length > 0);
}

/** Returns the chats whose title contains every word of the filter, in any case. Does not search messages. */
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
