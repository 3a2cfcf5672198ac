import { readdir, rm } from 'node:fs/promises';
import { isChatId } from '../engine/chat/ids.js';
import { LoupeError } from '../engine/errors.js';
import type { Clock, RandomHex } from '../engine/ports.js';
import { Blobs } from './blobs.js';
import { readChatFolder, readChatGrowth } from './chatReader.js';
import type { ChatContent, ChatGrowth, ReadPosition } from './chatReader.js';
import { copyChat } from './copyChat.js';
import { storageError, systemCode } from './failure.js';
import { folderFingerprint } from './fingerprint.js';
import type { Files } from './files.js';
import { Journal } from './journal.js';
import { chatFolder, chatsFolder, isWriterId } from './layout.js';
import { Heartbeat, writerState } from './liveness.js';
import type { Ticker, WriterIdentity, WriterState } from './liveness.js';
import { readOnlyReason } from './segment.js';
import { searchChats } from './search.js';
import type { SearchQuery, SearchResult } from './search.js';
import { saidBy } from './searchTexts.js';
import type { Said } from './searchTexts.js';
import { Tombstones } from './tombstones.js';

export interface StoreOptions {
  /** The storage folder of the workspace; `chats` below it is the store's. Need not exist. */
  readonly root: string;
  readonly self: WriterIdentity;
  readonly clock: Clock;
  readonly random: RandomHex;
  readonly files: Files;
  readonly ticker: Ticker;
  /** For the log: failures that nobody waits for. */
  readonly report: (error: Error) => void;
}

/**
 * The chats of one workspace on the disk. All methods that take a chat id throw `invalidInput` for what is none,
 * and a `LoupeError` of kind `storage` when the disk fails.
 */
export class ChatStore {
  readonly #options: StoreOptions;
  readonly #tombstones: Tombstones;
  readonly #journals = new Map<string, Journal>();
  /** Why chats that were read here must not be continued. */
  readonly #readOnly = new Map<string, string>();

  constructor(options: StoreOptions) {
    if (!isWriterId(options.self.writerId)) {
      throw new LoupeError('internal', `This cannot name a segment: ${JSON.stringify(options.self.writerId)}.`);
    }
    this.#options = options;
    this.#tombstones = new Tombstones(options.root, options.files, options.self);
  }

  /** Ids of all chats that are not deleted, oldest first. */
  async listChatIds(): Promise<readonly string[]> {
    try {
      const entries = await readdir(chatsFolder(this.#options.root), { withFileTypes: true });
      const ids = entries.filter((entry) => entry.isDirectory() && isChatId(entry.name)).map(({ name }) => name);
      const deleted = await Promise.all(ids.map((id) => this.#tombstones.has(id)));
      return ids.filter((_, index) => deleted[index] === false).sort();
    } catch (thrown) {
      if (systemCode(thrown) === 'ENOENT') {
        return [];
      }
      throw storageError('The chats of this workspace could not be listed', thrown);
    }
  }

  /**
   * Reads a chat from the disk, with what this window could not save yet. A chat is to be read before it is
   * continued: this tells its journal what the new events come after, and whether it may take any.
   */
  async readChat(chatId: string): Promise<ChatContent> {
    const journal = this.journal(chatId);
    const refusal = await this.#deleted(chatId);
    if (refusal !== null) {
      throw refusal;
    }
    const content = await readChatFolder(this.#folder(chatId), journal.pendingEvents, this.#options);
    for (const { seq } of content.events) {
      journal.observe(seq);
    }
    if (content.readOnly === null) {
      this.#readOnly.delete(chatId);
    } else {
      this.#readOnly.set(chatId, content.readOnly);
    }
    return content;
  }

  /**
   * Reads what other windows have added to a chat since `position`, and lets this window's next events come after
   * it. Null when the chat has to be read whole. The new faults may make the chat read-only.
   */
  async readGrowth(chatId: string, position: ReadPosition): Promise<(ChatGrowth & { readonly readOnly: string | null }) | null> {
    try {
      const growth = await readChatGrowth(this.#folder(chatId), position, this.#options);
      if (growth === null) {
        return null;
      }
      const journal = this.journal(chatId);
      for (const { seq } of growth.events) {
        journal.observe(seq);
      }
      const readOnly = this.#readOnly.get(chatId) ?? readOnlyReason(growth.faults);
      if (readOnly !== null) {
        this.#readOnly.set(chatId, readOnly);
      }
      return { ...growth, readOnly };
    } catch (thrown) {
      throw storageError('What another window added to this chat could not be read', thrown);
    }
  }

  /** Whether the writer of an open run still lives. */
  writerState(chatId: string, writerId: string): Promise<WriterState> {
    return writerState(this.#folder(chatId), writerId, this.#options.self, this.#options.clock);
  }

  /** Whether a chat carries the mark of deletion, by whichever window. */
  async isDeleted(chatId: string): Promise<boolean> {
    return (await this.#deleted(chatId)) !== null;
  }

  /**
   * What the chat's folder looks like from outside, to be compared with what it was: it differs when something was
   * written to the chat, except that the text of a run under way does not count, nor a draft.
   */
  async fingerprint(chatId: string): Promise<string> {
    try {
      return await folderFingerprint(this.#folder(chatId), this.#options);
    } catch (thrown) {
      throw storageError('A chat could not be looked up', thrown);
    }
  }

  /** The one journal of a chat in this window. Touches no file before its first append. */
  journal(chatId: string): Journal {
    const known = this.#journals.get(chatId);
    if (known !== undefined) {
      return known;
    }
    const { self, clock, random, files, ticker, report } = this.#options;
    const folder = this.#folder(chatId);
    const journal = new Journal({
      folder,
      writerId: self.writerId,
      clock,
      random,
      files,
      heartbeat: new Heartbeat({ folder, self, clock, ticker, report }),
      refusal: () => this.#refusal(chatId),
      report,
    });
    this.#journals.set(chatId, journal);
    return journal;
  }

  blobs(chatId: string): Blobs {
    const { files, random } = this.#options;
    return new Blobs({ folder: this.#folder(chatId), files, random, refusal: () => this.#refusal(chatId) });
  }

  /**
   * Searches all chats that are not deleted, with what this window could not save yet and the `replies` under way in
   * it. Throws `cancelled` when the signal aborts.
   */
  async search(query: SearchQuery, replies: readonly Said[], signal: AbortSignal): Promise<SearchResult> {
    const unsaved = [...this.#journals].flatMap(([id, { pendingEvents }]) => pendingEvents.map((event) => saidBy(id, event)));
    const said = [...replies, ...unsaved.filter((each) => each !== null)];
    const deleted = await this.#deletedAmong(said.map(({ chatId }) => chatId));
    const chats = (await this.listChatIds()).map((id) => ({ id, folder: this.#folder(id) }));
    const kept = said.filter(({ chatId }) => !deleted.has(chatId));
    const { hits, failures } = await searchChats(query, chats, kept, signal);
    // A search takes its time: what was deleted meanwhile is not found.
    const gone = await this.#deletedAmong([...hits, ...failures].map(({ chatId }) => chatId));
    return { hits: hits.filter(({ chatId }) => !gone.has(chatId)), failures: failures.filter(({ chatId }) => !gone.has(chatId)) };
  }

  /** Copies the chat in the folder `from`, of whichever workspace, as the chat `chatId` of these folders. */
  async importChat(from: string, chatId: string, folders: readonly string[]): Promise<void> {
    const { self, ...system } = this.#options;
    try {
      await copyChat(from, { folder: this.#folder(chatId), chatId, folders }, { ...system, writerId: self.writerId });
    } catch (thrown) {
      throw storageError('The chat could not be imported', thrown);
    }
  }

  /** Marks a chat as deleted, for all windows and lasting. Its content stays until `purgeDeleted`. */
  async deleteChat(chatId: string): Promise<void> {
    try {
      await this.#tombstones.add(chatId);
    } catch (thrown) {
      throw storageError('This chat could not be deleted', thrown);
    }
  }

  /** Takes a deletion back, and saves what its journal was refused meanwhile. */
  async undeleteChat(chatId: string): Promise<void> {
    try {
      await this.#tombstones.remove(chatId);
    } catch (thrown) {
      throw storageError('This chat could not be brought back', thrown);
    }
    await this.#journals.get(chatId)?.retry();
  }

  /**
   * Removes the content of deleted chats, for the time when this window closes. Those that another living window
   * deleted stay: it may still undo that. The marks of deletion stay in any case.
   */
  async purgeDeleted(): Promise<void> {
    try {
      for (const chatId of await this.#tombstones.settled()) {
        await this.#journals.get(chatId)?.close();
        this.#journals.delete(chatId);
        await rm(this.#folder(chatId), { recursive: true, force: true });
      }
    } catch (thrown) {
      throw storageError('The files of deleted chats could not be removed', thrown);
    }
  }

  /** Saves and closes all journals, then removes deleted chats. Throws the first failure, after trying all. */
  async close(): Promise<void> {
    const closing = [...this.#journals.values()].map((journal) => journal.close());
    this.#journals.clear();
    const closed = await Promise.allSettled(closing);
    const purged = await Promise.allSettled([this.purgeDeleted()]);
    const failed = [...closed, ...purged].find((result) => result.status === 'rejected');
    if (failed !== undefined) {
      throw storageError('A chat could not be saved', failed.reason);
    }
  }

  async #deletedAmong(chatIds: readonly string[]): Promise<ReadonlySet<string>> {
    const different = [...new Set(chatIds)];
    const deleted = await Promise.all(different.map((id) => this.#tombstones.has(id)));
    return new Set(different.filter((_, index) => deleted[index] === true));
  }

  async #refusal(chatId: string): Promise<LoupeError | null> {
    const reason = this.#readOnly.get(chatId);
    return reason === undefined ? this.#tombstones.refusal(chatId) : new LoupeError('storage', reason);
  }

  async #deleted(chatId: string): Promise<LoupeError | null> {
    try {
      return await this.#tombstones.refusal(chatId);
    } catch (thrown) {
      throw storageError('This chat could not be opened', thrown);
    }
  }

  #folder(chatId: string): string {
    return chatFolder(this.#options.root, chatId);
  }
}
