import { toLoupeError, type LoupeError } from '../../../engine/errors.js';
import type { ChatStore } from '../../../storage/chatStore.js';
import type { ChatSession } from '../chatSession.js';

/** Idle time in ms until the derived files of a chat are updated. Pauses between tool results are shorter. */
const REST_MS = 2_000;

/** Updates files that are derived from the log of an open chat, such as its list row, while no run is active. */
export class DerivedUpdates {
  readonly #store: Pick<ChatStore, 'updateDerived'>;
  readonly #logError: (error: LoupeError) => void;
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor(store: Pick<ChatStore, 'updateDerived'>, logError: (error: LoupeError) => void) {
    this.#store = store;
    this.#logError = logError;
  }

  /** Schedules an update of the chat's derived files. Call it when the chat has logged events or was read. */
  changed(session: ChatSession): void {
    const { id } = session;
    clearTimeout(this.#timers.get(id));
    this.#timers.set(
      id,
      setTimeout(() => {
        this.#timers.delete(id);
        // During a run, skip the update. The end of the run is a change too and schedules it again.
        if (!session.conversation.isRunning) {
          void this.#update(session);
        }
      }, REST_MS),
    );
  }

  /** Cancels pending updates. The next opening of the chat reads the missing part from the log. */
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
