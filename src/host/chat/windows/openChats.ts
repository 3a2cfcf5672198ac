import type { ChatList } from '../chatList.js';
import type { ChatSession } from '../chatSession.js';

/** The chats that are open in this VS Code window. The session of a deleted chat is kept, in case of an undo. */
export class OpenChats {
  readonly #list: ChatList;
  readonly #open = new Map<string, Promise<ChatSession>>();
  readonly #deleted = new Map<string, Promise<ChatSession>>();
  /** The loaded sessions, including sessions of deleted chats. */
  readonly #sessions = new Map<string, ChatSession>();
  /** Chats that this VS Code window is deleting or restoring. */
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

  /** Returns the session of a chat that was open in this VS Code window when it was deleted. */
  deleted(chatId: string): Promise<ChatSession> | undefined {
    return this.#deleted.get(chatId);
  }

  all(): readonly Promise<ChatSession>[] {
    return [...this.#open.values()];
  }

  /** Returns the ids of open chats, including deleted chats whose session is kept. */
  ids(): readonly string[] {
    return [...this.#open.keys(), ...this.#deleted.keys()];
  }

  /** Returns the loaded sessions, without sessions of deleted chats. */
  sessions(): readonly ChatSession[] {
    return [...this.#sessions.values()].filter(({ id }) => this.#open.has(id));
  }

  add(chatId: string, opening: Promise<ChatSession>): void {
    this.#open.set(chatId, opening);
    opening.then(
      (session) => this.#sessions.set(chatId, session),
      () => {
        // The caller that opens the chat gets this error.
      },
    );
  }

  /** Removes a failed opening, so that the next call tries again. */
  forget(chatId: string, opening: Promise<ChatSession>): void {
    (this.#deleted.get(chatId) === opening ? this.#deleted : this.#open).delete(chatId);
  }

  /** Marks a chat as deleted, but keeps its session. Call it after the deletion. */
  markDeleted(chatId: string): void {
    const open = this.#open.get(chatId);
    if (open !== undefined) {
      this.#deleted.set(chatId, open);
    }
    this.#open.delete(chatId);
    this.#list.delete(chatId);
  }

  /** Makes the session of a restored chat usable again. Call it after the deletion was undone. */
  putBack(chatId: string, session: ChatSession): void {
    session.reopen();
    this.#deleted.delete(chatId);
    this.#open.set(chatId, Promise.resolve(session));
    this.#list.set(session);
  }

  /** Runs `change`, which deletes or restores a chat. A simultaneous poll of the chat becomes invalid. */
  async change(chatId: string, change: () => Promise<void>): Promise<void> {
    this.#changing.add(chatId);
    try {
      await change();
    } finally {
      this.#changing.delete(chatId);
      this.#changes += 1;
    }
  }

  /** Starts a poll. The returned function says whether this window has deleted or restored a chat since then. */
  beginPoll(chatId: string): () => boolean {
    const changes = this.#changes;
    return () => this.#changing.has(chatId) || changes !== this.#changes;
  }
}
