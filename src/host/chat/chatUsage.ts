import type { AttemptRow } from '../../engine/accounting/attemptRow.js';
import { attemptUsages, type AttemptUsage } from '../../engine/accounting/attemptUsage.js';
import { spentTotals } from '../../engine/chat/ledger.js';
import type { UsageTotals } from '../../engine/model/usage.js';
import { distinctAttempts, NO_CHAT, type ChatAttempts } from '../../engine/accounting/usedAttempt.js';
import { failure, toLoupeError, type LoupeError, logFailure } from '../../engine/errors.js';
import type { ChatStore } from '../../storage/chatStore.js';
import type { ChatList } from './chatList.js';
import type { OpenChats } from './windows/openChats.js';

export interface ChatUsagePorts {
  readonly store: Pick<ChatStore, 'attempts' | 'attemptUsages' | 'deletedIds' | 'outside'>;
  readonly open: Pick<OpenChats, 'get'>;
  readonly list: Pick<ChatList, 'ids' | 'changedAt'>;
  readonly refresh: () => Promise<void>;
  /** Called with the id of a chat, or `NO_CHAT`, when the usage of that chat has changed. */
  readonly tell: (chatId: string) => void;
  readonly logError: (error: LoupeError) => void;
}

/** The usage of all chats of the workspace. Logs chats that cannot be read, and omits them from the sums. */
export class ChatUsage {
  readonly #ports: ChatUsagePorts;

  constructor(ports: ChatUsagePorts) {
    this.#ports = ports;
  }

  /**
   * Returns the usage of all chats, including deleted chats and requests outside of chats. Counts an attempt once, even
   * if an imported chat shares it with the original chat.
   */
  async all(): Promise<UsageTotals> {
    const { refresh, list, store } = this.#ports;
    await refresh();
    // A chat that is being deleted may be in both lists, so a set removes duplicates.
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

  /** Returns the usage of each attempt of a chat, even of a deleted chat. `NO_CHAT` gives requests outside of chats. */
  usages(chatId: string): Promise<readonly AttemptUsage[]> {
    const { store, open } = this.#ports;
    return this.#orNothing(chatId, [], async () => {
      if (chatId === NO_CHAT) {
        return store.outside.all();
      }
      const session = await open.get(chatId);
      // A poll ends the runs of crashed windows, so that the sum and the chat show the same usage.
      await session?.poll();
      const state = session?.state;
      return state?.extent === 'whole' ? attemptUsages(state) : await store.attemptUsages(chatId);
    });
  }

  /** Records the usage of a request outside of chats. Never rejects: a failure is logged. */
  async addOutside(request: AttemptUsage): Promise<void> {
    const { store, tell } = this.#ports;
    await store.outside.add(request).catch(logFailure(this.#ports));
    tell(NO_CHAT);
  }

  /** Returns when the chat last changed. See `ChatList.changedAt`. */
  changedAt(chatId: string): number {
    return this.#ports.list.changedAt(chatId);
  }

  /** Returns the ids of deleted chats, because their cost is still part of the total. */
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
