import { readdir } from 'node:fs/promises';
import { failure, type LoupeError } from '../engine/errors.js';
import { systemCode } from './failure.js';
import { writeDurably, type Files } from './files.js';
import { chatsFolder, tombstoneChat, tombstonePath } from './layout.js';
import { isGone, parseOwner, type ProcessName } from './liveness.js';
import { NotAFile, readWhole } from './regularFile.js';

/**
 * The marks of deleted chats. A mark outlives its chat's folder: a window that still holds the chat asks for it
 * at each write and so never brings the chat back. It names the process that can still undo the deletion.
 */
export class Tombstones {
  readonly #root: string;
  readonly #files: Files;
  readonly #self: ProcessName;

  constructor(root: string, files: Files, self: ProcessName) {
    this.#root = root;
    this.#files = files;
    this.#self = self;
  }

  has(chatId: string): Promise<boolean> {
    return this.#files.exists(tombstonePath(this.#root, chatId));
  }

  /** Why the chat takes nothing more; null when it is not deleted. */
  async refusal(chatId: string): Promise<LoupeError | null> {
    return (await this.has(chatId)) ? failure('storage.chatDeleted') : null;
  }

  /** On the disk when this returns. When it fails there is no mark: a part of one would be one. */
  async add(chatId: string): Promise<void> {
    const { pid, host } = this.#self;
    const folder = chatsFolder(this.#root);
    const path = tombstonePath(this.#root, chatId);
    await this.#files.makeFolder(folder);
    try {
      await writeDurably(this.#files, path, Buffer.from(JSON.stringify({ pid, host })));
      await this.#files.syncFolder(folder);
    } catch (thrown) {
      await this.#files.remove(path);
      throw thrown;
    }
  }

  /** On the disk when this returns; a missing mark is fine. */
  async remove(chatId: string): Promise<void> {
    if (await this.has(chatId)) {
      await this.#files.remove(tombstonePath(this.#root, chatId));
      await this.#files.syncFolder(chatsFolder(this.#root));
    }
  }

  /** Deleted chats that nobody can bring back any more: deleted by this process, which is closing, or a dead one. */
  async settled(): Promise<readonly string[]> {
    const marked = (await this.#names()).map(tombstoneChat).filter((chatId) => chatId !== null);
    const settled = await Promise.all(marked.map((chatId) => this.#isSettled(chatId)));
    return marked.filter((_, index) => settled[index] === true);
  }

  async #isSettled(chatId: string): Promise<boolean> {
    const owner = await this.#owner(chatId);
    return owner !== null && isGone(owner, this.#self);
  }

  /** Null for a mark that does not say who made it. */
  async #owner(chatId: string): Promise<ProcessName | null> {
    try {
      return parseOwner((await readWhole(tombstonePath(this.#root, chatId))).toString('utf8'));
    } catch (thrown) {
      if (thrown instanceof NotAFile) {
        return null;
      }
      throw thrown;
    }
  }

  async #names(): Promise<readonly string[]> {
    try {
      return await readdir(chatsFolder(this.#root));
    } catch (thrown) {
      if (systemCode(thrown) === 'ENOENT') {
        return [];
      }
      throw thrown;
    }
  }
}
