import type { ChatList } from './chatList.js';
import type { ChatSession } from './chatSession.js';

/** The chats that are open in this window. A chat has one session only, also when its deletion is undone. */
export class OpenChats {
  readonly #list: ChatList;
  readonly #open = new Map<string, Promise<ChatSession>>();
  readonly #deleted = new Map<string, Promise<ChatSession>>();
  /** Those that have been read, deleted ones included. */
  readonly #sessions = new Map<string, ChatSession>();
  /** Chats that this window is just deleting or bringing back. */
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

  /** The session of a chat that was deleted since it was opened. */
  deleted(chatId: string): Promise<ChatSession> | undefined {
    return this.#deleted.get(chatId);
  }

  all(): readonly Promise<ChatSession>[] {
    return [...this.#open.values()];
  }

  /** Those that were deleted included. */
  ids(): readonly string[] {
    return [...this.#open.keys(), ...this.#deleted.keys()];
  }

  /** Those that have been read. */
  sessions(): readonly ChatSession[] {
    return [...this.#sessions.values()].filter(({ id }) => this.#open.has(id));
  }

  add(chatId: string, opening: Promise<ChatSession>): void {
    this.#open.set(chatId, opening);
    opening.then(
      (session) => this.#sessions.set(chatId, session),
      () => {
        // Whoever opens it is told why it cannot be read.
      },
    );
  }

  /** A chat that could not be opened is looked for again the next time. */
  forget(chatId: string, opening: Promise<ChatSession>): void {
    (this.#deleted.get(chatId) === opening ? this.#deleted : this.#open).delete(chatId);
  }

  /** The chat was deleted. */
  setAside(chatId: string): void {
    const open = this.#open.get(chatId);
    if (open !== undefined) {
      this.#deleted.set(chatId, open);
    }
    this.#open.delete(chatId);
    this.#list.delete(chatId);
  }

  /** The deletion was undone. */
  putBack(chatId: string, session: ChatSession): void {
    session.reopen();
    this.#deleted.delete(chatId);
    this.#open.set(chatId, Promise.resolve(session));
    this.#list.set(session.state);
  }

  /** This window deletes a chat or brings it back: what is seen of it meanwhile tells nothing. */
  async change(chatId: string, change: () => Promise<void>): Promise<void> {
    this.#changing.add(chatId);
    try {
      await change();
    } finally {
      this.#changing.delete(chatId);
      this.#changes += 1;
    }
  }

  /** Begins a look at a chat; what it returns says whether that tells nothing, because this window changed the chat meanwhile. */
  beginLook(chatId: string): () => boolean {
    const changes = this.#changes;
    return () => this.#changing.has(chatId) || changes !== this.#changes;
  }
}
