import { toLoupeError, type LoupeError } from '../../engine/errors.js';
import type { ChatStore } from '../../storage/chatStore.js';
import type { ChatSession } from './chatSession.js';

/**
 * How long a chat has to rest before what is derived from its log is brought up to date: tools and quick answers come
 * in closer together.
 */
const REST_MS = 2_000;

/** Keeps what is derived from the logs of the open chats up to date, when nothing else goes on in them. */
export class DerivedUpdates {
  readonly #store: Pick<ChatStore, 'updateDerived'>;
  readonly #logError: (error: LoupeError) => void;
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor(store: Pick<ChatStore, 'updateDerived'>, logError: (error: LoupeError) => void) {
    this.#store = store;
    this.#logError = logError;
  }

  /** Something was logged in the chat, or it was read. */
  changed(session: ChatSession): void {
    const { id } = session;
    clearTimeout(this.#timers.get(id));
    this.#timers.set(
      id,
      setTimeout(() => {
        this.#timers.delete(id);
        // A run that goes on changes the chat once more when it ends.
        if (!session.conversation.isRunning) {
          void this.#update(session);
        }
      }, REST_MS),
    );
  }

  /** What was not brought up to date is read from the log when the chat is opened again. */
  close(): void {
    for (const timer of this.#timers.values()) {
      clearTimeout(timer);
    }
    this.#timers.clear();
  }

  async #update({ id, neededMessages }: ChatSession): Promise<void> {
    try {
      await this.#store.updateDerived(id, neededMessages);
    } catch (thrown) {
      this.#logError(toLoupeError(thrown));
    }
  }
}
