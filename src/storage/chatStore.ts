import { readdir, rm } from 'node:fs/promises';
import { isChatId } from '../engine/chat/ids.js';
import { LoupeError } from '../engine/errors.js';
import type { Clock, RandomHex } from '../engine/ports.js';
import { Blobs } from './blobs.js';
import { readChatFolder } from './chatReader.js';
import type { ChatContent } from './chatReader.js';
import { storageError, systemCode } from './failure.js';
import type { Files } from './files.js';
import { Journal } from './journal.js';
import { chatFolder, chatsFolder, isWriterId } from './layout.js';
import { Heartbeat } from './liveness.js';
import type { Ticker, WriterIdentity } from './liveness.js';
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
