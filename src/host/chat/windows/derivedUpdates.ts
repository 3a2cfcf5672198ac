import { toLoupeError, type LoupeError } from '../../../engine/errors.js';
import type { ChatStore } from '../../../storage/chatStore.js';
import type { ChatSession } from '../chatSession.js';

/** Idle time of a chat until its derived files are updated, in ms. Longer than pauses between tool results. */
const REST_MS = 2_000;

/** Updates the files derived from the logs of open chats while those chats are idle. */
export class DerivedUpdates {
  readonly #store: Pick<ChatStore, 'updateDerived'>;
  readonly #logError: (error: LoupeError) => void;
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor(store: Pick<ChatStore, 'updateDerived'>, logError: (error: LoupeError) => void) {
    this.#store = store;
    this.#logError = logError;
  }

  /** Schedules an update. Call it when a chat has logged events or was read. */
  changed(session: ChatSession): void {
    const { id } = session;
    clearTimeout(this.#timers.get(id));
    this.#timers.set(
      id,
      setTimeout(() => {
        this.#timers.delete(id);
        // The end of the run will be another change.
        if (!session.conversation.isRunning) {
          void this.#update(session);
        }
      }, REST_MS),
    );
  }

  /** Cancels pending updates. The next opening of a chat reads the missing part from the log. */
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
