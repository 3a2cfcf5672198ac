import { toLoupeError, type LoupeError } from '../../../engine/errors.js';
import type { ChatStore } from '../../../storage/chatStore.js';
import { NOT_WATCHED } from '../../../storage/reading/chatLog.js';
import type { Chats } from '../chats.js';

/** Maximum number of chats to read. Older chats hardly change the result. */
const MOST_CHATS = 10;

export interface LearnFromLatestPorts {
  readonly chats: Pick<Chats, 'list' | 'sessions' | 'learn'>;
  readonly store: Pick<ChatStore, 'openEnd'>;
  readonly logError: (error: LoupeError) => void;
}

/** Learns about models from the latest closed chats after a restart. Stores nothing. Never rejects. */
export async function learnFromLatest({ chats, store, logError }: LearnFromLatestPorts): Promise<void> {
  for (const { id } of chats.list().slice(0, MOST_CHATS)) {
    if (chats.sessions().some((session) => session.id === id)) {
      continue;
    }
    try {
      const { fold } = await store.openEnd(id, NOT_WATCHED);
      chats.learn(fold.state);
    } catch (thrown) {
      const error = toLoupeError(thrown);
      if (error.kind === 'cancelled') {
        // The window is closing.
        return;
      }
      logError(error);
    }
  }
}
