import type { AttemptRow } from '../../engine/accounting/attemptRow.js';
import { attemptUsages, type AttemptUsage } from '../../engine/accounting/attemptUsage.js';
import { spentTotals } from '../../engine/chat/ledger.js';
import type { UsageTotals } from '../../engine/model/usage.js';
import { distinctAttempts, NO_CHAT, type ChatAttempts } from '../../engine/accounting/usedAttempt.js';
import { failure, toLoupeError, type LoupeError } from '../../engine/errors.js';
import type { ChatStore } from '../../storage/chatStore.js';
import type { ChatList } from './chatList.js';
import type { OpenChats } from './windows/openChats.js';

export interface ChatUsagePorts {
  readonly store: Pick<ChatStore, 'attempts' | 'attemptUsages' | 'deletedIds' | 'outside'>;
  readonly open: Pick<OpenChats, 'get'>;
  readonly list: Pick<ChatList, 'ids' | 'changedAt'>;
  readonly refresh: () => Promise<void>;
  /** Reports that the usage of a chat, or of `NO_CHAT`, has changed. */
  readonly tell: (chatId: string) => void;
  readonly logError: (error: LoupeError) => void;
}

/** The usage of all chats of the workspace. A chat that cannot be read is logged and counts as unused. */
export class ChatUsage {
  readonly #ports: ChatUsagePorts;

  constructor(ports: ChatUsagePorts) {
    this.#ports = ports;
  }

  /**
   * Adds up all chats, including deleted ones, and the requests outside of chats. Shared attempts of imported chats
   * count once.
   */
  async all(): Promise<UsageTotals> {
    const { refresh, list, store } = this.#ports;
    await refresh();
    // A chat that is being deleted may be in both lists.
    const ids = new Set([NO_CHAT, ...list.ids(), ...(await store.deletedIds())]);
    const chats: ChatAttempts[] = [];
    for (const chatId of ids) {
      chats.push({ chatId, rows: await this.usages(chatId) });
    }
    return spentTotals(distinctAttempts(chats).flatMap(({ rows }) => rows));
  }

  attempts(chatId: string): Promise<readonly AttemptRow[]> {
    return this.#orNothing(chatId, [], () => this.#ports.store.attempts(chatId));
  }

  /** Returns the usage of each attempt, also of a deleted chat. `NO_CHAT` gives the requests outside of chats. */
  usages(chatId: string): Promise<readonly AttemptUsage[]> {
    const { store, open } = this.#ports;
    return this.#orNothing(chatId, [], async () => {
      if (chatId === NO_CHAT) {
        return store.outside.all();
      }
      const session = await open.get(chatId);
      // Another window may have been killed during a reply. Polling first keeps the sum and the chat consistent.
      await session?.poll();
      const state = session?.state;
      return state?.extent === 'whole' ? attemptUsages(state) : await store.attemptUsages(chatId);
    });
  }

  /** Records the usage of a request outside of chats. Never rejects: a failure is logged. */
  async addOutside(request: AttemptUsage): Promise<void> {
    const { store, tell, logError } = this.#ports;
    try {
      await store.outside.add(request);
    } catch (thrown) {
      logError(toLoupeError(thrown));
    }
    tell(NO_CHAT);
  }

  /** See `ChatList.changedAt`. */
  changedAt(chatId: string): number {
    return this.#ports.list.changedAt(chatId);
  }

  /** Returns the ids of deleted chats, because their cost still counts. */
  deletedIds(): Promise<readonly string[]> {
    return this.#ports.store.deletedIds();
  }

  async #orNothing<T>(chatId: string, nothing: T, read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (thrown) {
      const error = toLoupeError(thrown);
      if (error.kind !== 'storage') {
        throw error;
      }
      this.#ports.logError(failure('storage.fault', { chatId, fault: error.message }, { cause: error }));
      return nothing;
    }
  }
}
