import type { ChatList } from '../chatList.js';
import type { ChatSession } from '../chatSession.js';

/** The chats that are open in this window. A chat keeps its session when its deletion is undone. */
export class OpenChats {
  readonly #list: ChatList;
  readonly #open = new Map<string, Promise<ChatSession>>();
  readonly #deleted = new Map<string, Promise<ChatSession>>();
  /** The loaded sessions, including those of deleted chats. */
  readonly #sessions = new Map<string, ChatSession>();
  /** Chats that this window is deleting or restoring. */
  readonly #changing = new Set<string>();
  #changes = 0;

  constructor(list: ChatList) {
    this.#list = list;
  }

  has(chatId: string): boolean {
    return this.#open.has(chatId);
  }

  get(chatId: string): Promise<ChatSession> | undefined {
    return this.#open.get(chatId);
  }

  /** Returns the session of a chat that was deleted after it was opened. */
  deleted(chatId: string): Promise<ChatSession> | undefined {
    return this.#deleted.get(chatId);
  }

  all(): readonly Promise<ChatSession>[] {
    return [...this.#open.values()];
  }

  /** Includes deleted chats. */
  ids(): readonly string[] {
    return [...this.#open.keys(), ...this.#deleted.keys()];
  }

  /** Returns the loaded sessions, without those of deleted chats. */
  sessions(): readonly ChatSession[] {
    return [...this.#sessions.values()].filter(({ id }) => this.#open.has(id));
  }

  add(chatId: string, opening: Promise<ChatSession>): void {
    this.#open.set(chatId, opening);
    opening.then(
      (session) => this.#sessions.set(chatId, session),
      () => {
        // The caller that opens the chat gets the error.
      },
    );
  }

  /** Removes a failed opening, so that the next call tries again. */
  forget(chatId: string, opening: Promise<ChatSession>): void {
    (this.#deleted.get(chatId) === opening ? this.#deleted : this.#open).delete(chatId);
  }

  /** Marks a chat as deleted. Call it after the deletion. */
  markDeleted(chatId: string): void {
    const open = this.#open.get(chatId);
    if (open !== undefined) {
      this.#deleted.set(chatId, open);
    }
    this.#open.delete(chatId);
    this.#list.delete(chatId);
  }

  /** Restores a chat. Call it after its deletion was undone. */
  putBack(chatId: string, session: ChatSession): void {
    session.reopen();
    this.#deleted.delete(chatId);
    this.#open.set(chatId, Promise.resolve(session));
    this.#list.set(session);
  }

  /** Deletes or restores a chat. Polls of the chat that overlap with this become invalid. */
  async change(chatId: string, change: () => Promise<void>): Promise<void> {
    this.#changing.add(chatId);
    try {
      await change();
    } finally {
      this.#changing.delete(chatId);
      this.#changes += 1;
    }
  }

  /** Begins a poll of a chat. The returned function says whether a change by this window has made the poll invalid. */
  beginPoll(chatId: string): () => boolean {
    const changes = this.#changes;
    return () => this.#changing.has(chatId) || changes !== this.#changes;
  }
}
