import type { ChatState } from '../../engine/chat/fold.js';
import { toLoupeError, type LoupeError } from '../../engine/errors.js';
import type { ChatListItem } from '../../protocol/view.js';
import type { ChatStore } from '../../storage/chatStore.js';
import { rowItem, summarize } from './summary.js';

/** No message is shown: only what is told of the chat. */
const NOT_SHOWN = 0;

interface ReadItem {
  readonly fingerprint: string;
  readonly item: ChatListItem;
}

/** The rows of the list of chats. */
export class ChatList {
  readonly #store: ChatStore;
  readonly #logError: (error: LoupeError) => void;
  readonly #items = new Map<string, ChatListItem>();
  /** What was read from the disk, so that a chat nobody has touched is not read again. */
  readonly #read = new Map<string, ReadItem>();

  constructor(store: ChatStore, logError: (error: LoupeError) => void) {
    this.#store = store;
    this.#logError = logError;
  }

  /** Latest first. */
  items(): ChatListItem[] {
    return [...this.#items.values()].toSorted(byLatest);
  }

  get(chatId: string): ChatListItem | undefined {
    return this.#items.get(chatId);
  }

  ids(): readonly string[] {
    return [...this.#items.keys()];
  }

  set(state: ChatState): void {
    this.#items.set(state.chatId, summarize(state));
  }

  /** Puts a row in; returns whether it is another one than before. */
  put(item: ChatListItem): boolean {
    const before = this.#items.get(item.id);
    this.#items.set(item.id, item);
    return before !== item;
  }

  delete(chatId: string): void {
    this.#items.delete(chatId);
  }

  /** The row of a chat as it is on the disk. Never rejects: a chat that cannot be read has a row that says so. */
  async fromDisk(chatId: string): Promise<ChatListItem> {
    try {
      const fingerprint = await this.#store.fingerprint(chatId);
      const known = this.#read.get(chatId);
      if (known?.fingerprint === fingerprint) {
        return known.item;
      }
      const item = await this.#summary(chatId);
      this.#read.set(chatId, { fingerprint, item });
      return item;
    } catch (thrown) {
      this.#read.delete(chatId);
      const error = toLoupeError(thrown);
      this.#logError(error);
      return damaged(chatId, error.message);
    }
  }

  async #summary(chatId: string): Promise<ChatListItem> {
    const row = await this.#store.readRow(chatId);
    if (row !== null) {
      return rowItem(chatId, row);
    }
    const { fold, openRuns } = await this.#store.openChat(chatId, NOT_SHOWN);
    const item = summarize(fold.state);
    // The run of a window that died runs no more, though nobody has ended it yet.
    return { ...item, running: item.running && openRuns.some(({ state }) => state === 'alive') };
  }
}

/** Latest first; ids break ties, so that the order is the same everywhere. */
function byLatest(a: ChatListItem, b: ChatListItem): number {
  return a.updatedAt === b.updatedAt ? b.id.localeCompare(a.id) : b.updatedAt - a.updatedAt;
}

/** A chat that cannot be read is listed all the same, with the reason: it must not look as if it were gone. */
function damaged(chatId: string, reason: string): ChatListItem {
  return { id: chatId, title: 'Chat that cannot be read', preview: reason, messageCount: 0, updatedAt: 0, running: false };
}
