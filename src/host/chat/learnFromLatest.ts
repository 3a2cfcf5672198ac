import { toLoupeError, type LoupeError } from '../../engine/errors.js';
import type { ChatStore } from '../../storage/chatStore.js';
import { NOT_WATCHED } from '../../storage/chatLog.js';
import type { Chats } from './chats.js';

/** So many chats are read: what older ones teach counts little. */
const MOST_CHATS = 10;

export interface LearnFromLatestPorts {
  readonly chats: Pick<Chats, 'list' | 'sessions' | 'learned'>;
  readonly store: Pick<ChatStore, 'openEnd'>;
  readonly logError: (error: LoupeError) => void;
}

/** Reads the ends of the latest chats that are not open, so that what they taught holds after a restart. Nothing of it is stored. */
export async function learnFromLatest({ chats, store, logError }: LearnFromLatestPorts): Promise<void> {
  for (const { id } of chats.list().slice(0, MOST_CHATS)) {
    if (chats.sessions().some((session) => session.id === id)) {
      continue;
    }
    try {
      const { fold } = await store.openEnd(id, NOT_WATCHED);
      chats.learned.remember(fold.state);
    } catch (thrown) {
      const error = toLoupeError(thrown);
      if (error.kind === 'cancelled') {
        // The window closes.
        return;
      }
      logError(error);
    }
  }
}
