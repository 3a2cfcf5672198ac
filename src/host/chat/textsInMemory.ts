import { textsOfMessage, textsOfAttempt, type SearchableText, type TextsInMemory } from '../../storage/search/searchTexts.js';
import type { ChatState } from '../../engine/chat/state.js';
import type { ChatSession } from './chatSession.js';

export async function textsInMemory(sessions: Iterable<Promise<ChatSession>>): Promise<TextsInMemory[]> {
  // Skips chats that failed to open. Their callers get the error.
  const opened = (await Promise.allSettled(sessions)).flatMap((opening) => (opening.status === 'fulfilled' ? [opening.value.state] : []));
  return opened.map((state) => ({ chatId: state.chatId, unsavedTexts: repliesUnderWay(state), all: () => allSaid(state) }));
}

/** Returns the text of replies that are still streaming, because the log on disk does not have all of it yet. */
function repliesUnderWay({ chatId, attempts }: ChatState): SearchableText[] {
  const open = [...attempts.values()].filter(({ end, purpose }) => end === null && purpose === 'reply');
  return open.map((attempt) => textsOfAttempt(chatId, attempt));
}

/** Returns all texts of a chat in memory, including branches that an edit or a retry replaced. */
function allSaid({ chatId, timeline, rewinds, attempts, title, updatedAt }: ChatState): SearchableText[] {
  const messages = [timeline, ...rewinds.values()].flat().flatMap((item) => {
    const said = item.kind === 'message' ? textsOfMessage(chatId, item.message, item.at) : null;
    return said === null ? [] : [said];
  });
  const answered = new Set(messages.map(({ attemptId }) => attemptId));
  const broken = [...attempts.values()].filter(({ id, purpose }) => purpose === 'reply' && !answered.has(id));
  const named: SearchableText[] =
    title === null
      ? []
      : [{ chatId, key: 'title', messageId: null, attemptId: null, role: 'title', texts: [title], at: updatedAt, seq: 0 }];
  return [...messages, ...broken.map((attempt) => textsOfAttempt(chatId, attempt)), ...named];
}
