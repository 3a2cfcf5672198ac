import { logFailure, toLoupeError, type LoupeError } from '../../../engine/errors.js';
import type { ChatListItem } from '../../../protocol/panel/view.js';
import type { ChatStore } from '../../../storage/chatStore.js';
import { JobQueue } from '../../../storage/files/jobQueue.js';
import { storedLearned } from '../../../storage/reading/learnedFile.js';
import { chatPaths } from '../../../storage/transfer/foundChats.js';
import type { Chats } from '../chats.js';

export interface ClosedChatsPorts {
  readonly chats: Pick<Chats, 'list' | 'isListed' | 'sessions' | 'onChange' | 'learned' | 'figuresChanged'>;
  readonly store: Pick<ChatStore, 'learned'>;
  /** Returns the storage folders of other workspaces. */
  readonly storages: () => Promise<readonly string[]>;
  readonly logError: (error: LoupeError) => void;
}

/**
 * Learns about models from chats that are not open in this VS Code window: from all chats after a start, and later from
 * chats that other windows change. From chats of other workspaces, only after a start.
 */
export class ClosedChats {
  readonly #ports: ClosedChatsPorts;
  /** The row of each chat when Loupe learned from it. A changed chat has another row. */
  readonly #rows = new Map<string, ChatListItem>();
  readonly #reading = new JobQueue();
  #hasStarted = false;
  #isClosed = false;

  constructor(ports: ClosedChatsPorts) {
    this.#ports = ports;
    const { chats } = ports;
    chats.onChange({
      changed: (chatId) => {
        if (chats.isListed && !chats.sessions().some(({ id }) => id === chatId)) {
          void this.#next(this.#learn.bind(this));
        }
      },
    });
  }

  /** Resolves when Loupe has learned from all changes so far. */
  async settled(): Promise<void> {
    await this.#next(() => Promise.resolve());
  }

  /** Ends the learning after the current chat. */
  close(): void {
    this.#isClosed = true;
  }

  async #learn(): Promise<void> {
    await this.#learnFromList();
    if (!this.#hasStarted) {
      this.#hasStarted = true;
      await this.#learnFromOthers();
    }
  }

  /** Learns from new and changed chats of this workspace. */
  async #learnFromList(): Promise<void> {
    const { chats, store } = this.#ports;
    const open = new Set(chats.sessions().map(({ id }) => id));
    // An unreadable chat has no messages either, and the list has logged it.
    const changed = chats.list().filter((row) => row.messageCount > 0 && !open.has(row.id) && this.#rows.get(row.id) !== row);
    await this.#each(changed, async (row) => {
      this.#rows.set(row.id, row);
      chats.learned.remember(await store.learned(row.id));
    });
  }

  /** Learns from what the windows of other workspaces have stored. Does not read their logs. */
  async #learnFromOthers(): Promise<void> {
    const { chats, storages } = this.#ports;
    const paths: string[] = [];
    for (const storage of await storages()) {
      paths.push(...(await chatPaths(storage).catch(this.#skip.bind(this))));
    }
    await this.#each(paths, async (path) => {
      const learned = await storedLearned(path);
      if (learned !== null) {
        chats.learned.remember(learned);
      }
    });
  }

  /** Calls `learn` for each item until the VS Code window closes. Logs a failure, and continues with the next item. */
  async #each<T>(items: readonly T[], learn: (item: T) => Promise<void>): Promise<void> {
    for (const item of items) {
      if (this.#isClosed) {
        return;
      }
      await learn(item).catch(this.#skip.bind(this));
    }
    if (items.length > 0) {
      this.#ports.chats.figuresChanged();
    }
  }

  #skip(thrown: unknown): readonly never[] {
    const error = toLoupeError(thrown);
    // Reading is cancelled when the window closes.
    if (error.kind !== 'cancelled') {
      this.#ports.logError(error);
    }
    return [];
  }

  #next(job: () => Promise<void>): Promise<void> {
    return this.#reading.next(job).catch(logFailure(this.#ports));
  }
}
