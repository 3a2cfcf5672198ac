import type { ChatListItem } from '../../protocol/panel/view.js';
import type { ChatSession } from './chatSession.js';
import type { Chats } from './chats.js';
import type { Drafts } from './drafts.js';

export interface UsedChatsPorts {
  readonly chats: Pick<Chats, 'list' | 'isUntouched'>;
  readonly drafts: Pick<Drafts, 'get'>;
}

/** Returns the chats for lists, latest first. Omits untouched chats without a draft, except the visible chat. */
export function usedChats({ chats, drafts }: UsedChatsPorts, shown: Pick<ChatSession, 'id'> | null): ChatListItem[] {
  return chats.list().filter(({ id }) => id === shown?.id || !chats.isUntouched(id) || drafts.get(id).text !== '');
}

/** Loads the drafts of untouched chats. A chat with a draft is then listed by `usedChats`. */
export async function loadDraftsOfNewChats(chats: UsedChatsPorts['chats'], drafts: Pick<Drafts, 'load'>): Promise<void> {
  await Promise.all(chats.list().flatMap(({ id }) => (chats.isUntouched(id) ? [drafts.load(id)] : [])));
}
