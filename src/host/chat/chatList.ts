import { lastRun } from '../../engine/chat/branch.js';
import { openQuestions } from '../../engine/chat/openQuestions.js';
import { titleOf } from '../../engine/chat/message/opening.js';
import { toLoupeError, type LoupeError } from '../../engine/errors.js';
import type { ChatListItem } from '../../protocol/panel/view.js';
import type { ChatStore } from '../../storage/chatStore.js';
import type { ListedRow } from '../../storage/reading/chatLog.js';
import { rowOf } from '../../storage/reading/row.js';
import type { ChatSession } from './chatSession.js';

type ListedSession = Pick<ChatSession, 'state' | 'faults' | 'saving' | 'spending' | 'servers'>;

export class ChatList {
  readonly #store: ChatStore;
  readonly #logError: (error: LoupeError) => void;
  readonly #items = new Map<string, ChatListItem>();
  /** Chats whose rows are outdated. A row is computed on demand, because a reply changes its chat many times. */
  readonly #changed = new Map<string, ListedSession>();
  readonly #untouched = new Set<string>();
  readonly #changedAt = new Map<string, number>();
  /** Rows that were read from disk, so that the file of an unchanged chat is not read a second time. */
  readonly #read = new Map<string, { readonly fingerprint: string; readonly item: ChatListItem }>();
  /** Ids of chats that another VS Code window was still creating when their rows were last read. */
  readonly #beingCreated = new Set<string>();

  constructor(store: ChatStore, logError: (error: LoupeError) => void) {
    this.#store = store;
    this.#logError = logError;
  }

  /** Reads the rows of all chats that are not open in this VS Code window. Rejects with `storage` when this fails. */
  async refresh(isOpen: (chatId: string) => boolean): Promise<void> {
    const found: ChatListItem[] = [];
    for (const id of await this.#store.listChatIds()) {
      const item = isOpen(id) ? null : await this.fromDisk(id);
      found.push(...(item === null ? [] : [item]));
    }
    // A chat may have been deleted or opened during the read. Its row from disk is then out of date.
    const known = new Set(await this.#store.listChatIds());
    for (const id of this.ids()) {
      if (!known.has(id) && !isOpen(id)) {
        this.delete(id);
      }
    }
    for (const item of found) {
      if (known.has(item.id) && !isOpen(item.id)) {
        this.put(item);
      }
    }
  }

  /** Returns the rows of all chats, latest first. */
  items(): ChatListItem[] {
    return [...this.#current().values()].toSorted(byLatest);
  }

  get(chatId: string): ChatListItem | undefined {
    return this.#current().get(chatId);
  }

  /** Ids of chats that another VS Code window was creating at the last read. These chats have no row yet. */
  get beingCreated(): ReadonlySet<string> {
    return this.#beingCreated;
  }

  ids(): readonly string[] {
    return [...this.#current().keys()];
  }

  /** Marks the row of an open chat as outdated. Call it after each change of the chat. */
  set(session: ListedSession): void {
    this.#changed.set(session.state.chatId, session);
  }

  /** Whether the chat has no messages, no added context and no name, according to its row. */
  isUntouched(chatId: string): boolean {
    this.#current();
    return this.#untouched.has(chatId);
  }

  /** Returns when an event last changed the chat or its cost, in epoch ms. Returns 0 when unknown. */
  changedAt(chatId: string): number {
    this.#current();
    return this.#changedAt.get(chatId) ?? 0;
  }

  /** Sets the row of a chat. Returns true when the row is new or changed, and false for null. */
  put(item: ChatListItem | null): boolean {
    if (item === null || this.#current().get(item.id) === item) {
      return false;
    }
    this.#items.set(item.id, item);
    return true;
  }

  /** Returns the title of a chat. Reads the title from disk when the list has no row for the chat yet. */
  async titleOf(chatId: string): Promise<string> {
    return (this.get(chatId) ?? (await this.fromDisk(chatId)))?.title ?? titleOf(null, null);
  }

  delete(chatId: string): void {
    this.#items.delete(chatId);
    this.#changed.delete(chatId);
    this.#beingCreated.delete(chatId);
  }

  /** Reads a row from disk. Null while another window creates the chat. A chat that cannot be read has a row, too. */
  async fromDisk(chatId: string): Promise<ChatListItem | null> {
    try {
      const fingerprint = await this.#store.fingerprint(chatId);
      const known = this.#read.get(chatId);
      if (known?.fingerprint === fingerprint) {
        return known.item;
      }
      if (await this.#store.isBeingCreated(chatId)) {
        this.#beingCreated.add(chatId);
        return null;
      }
      this.#beingCreated.delete(chatId);
      const item = this.#itemOf(chatId, { ...(await this.#store.row(chatId)), isUnsaved: false });
      this.#read.set(chatId, { fingerprint, item });
      return item;
    } catch (thrown) {
      this.#read.delete(chatId);
      this.#changedAt.delete(chatId);
      const error = toLoupeError(thrown);
      this.#logError(error);
      return damaged(chatId, error.message);
    }
  }

  #current(): ReadonlyMap<string, ChatListItem> {
    for (const [chatId, { state, faults, saving, spending, servers }] of this.#changed) {
      const row = { ...rowOf(state, faults), isRunning: lastRun(state)?.status === 'running', isUnsaved: saving.state.kind !== 'saved' };
      const waiting = spending.questions.length > 0 || servers.question !== null || openQuestions(state).length > 0;
      this.#items.set(chatId, { ...this.#itemOf(chatId, row), waiting });
    }
    this.#changed.clear();
    return this.#items;
  }

  #itemOf(id: string, row: ListedRow & { readonly isUnsaved: boolean }): ChatListItem {
    const { title, opening, messages: messageCount, updatedAt, isRunning: running, isUnsaved: unsaved, totals, damage } = row;
    if (row.isUntouched) {
      this.#untouched.add(id);
    } else {
      this.#untouched.delete(id);
    }
    this.#changedAt.set(id, row.changedAt);
    const { cost, unknownAttempts: unknownRequests } = totals;
    const beginning = { title: titleOf(title, opening), preview: opening?.preview ?? '', firstRole: opening?.role ?? null };
    return { id, ...beginning, messageCount, updatedAt, running, unsaved, waiting: false, damage, cost, unknownRequests };
  }
}

/** Sorts the latest chat first. Chats of the same time are sorted by id, so every window shows the same order. */
function byLatest(a: ChatListItem, b: ChatListItem): number {
  return a.updatedAt === b.updatedAt ? b.id.localeCompare(a.id) : b.updatedAt - a.updatedAt;
}

/** Returns the row of an unreadable chat, with the reason. Without a row, the chat would look deleted. */
function damaged(chatId: string, reason: string): ChatListItem {
  const none = { firstRole: null, messageCount: 0, updatedAt: 0, cost: null, unknownRequests: 0 };
  const badges = { running: false, unsaved: false, waiting: false, damage: null };
  return { id: chatId, title: 'Unreadable chat', preview: reason, ...none, ...badges };
}
