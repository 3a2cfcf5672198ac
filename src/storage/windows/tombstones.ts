import { readdir } from 'node:fs/promises';
import type { AttemptUsage } from '../../engine/accounting/attemptUsage.js';
import { failure, type LoupeError } from '../../engine/errors.js';
import { checkSum, sumOf } from '../files/checksum.js';
import { orIfMissing } from '../files/failure.js';
import { writeInOneStep, type Files } from '../files/files.js';
import { chatsFolder, tombstoneChat, tombstonePath } from '../files/layout.js';
import { hasProcessEnded, type ProcessName, type WriterIdentity } from './liveness.js';
import { ifFile } from '../files/regularFile.js';

/** The content of a tombstone, the file of a deleted chat. Its last member is a checksum. */
interface Tombstone extends ProcessName {
  /** The usage of the chat's attempts; null when the chat could not be read. */
  readonly usage: readonly AttemptUsage[] | null;
}

/**
 * The tombstones of deleted chats. A tombstone stays when the chat's folder is removed. If a VS Code window has the
 * chat open, it checks for the tombstone at each write, so that it never creates the chat again. The tombstone contains
 * the chat's usage, and the process that can undo the deletion.
 */
export class Tombstones {
  readonly #root: string;
  readonly #files: Files;
  readonly #self: WriterIdentity;

  constructor(root: string, files: Files, self: WriterIdentity) {
    this.#root = root;
    this.#files = files;
    this.#self = self;
  }

  has(chatId: string): Promise<boolean> {
    return this.#files.exists(tombstonePath(this.#root, chatId));
  }

  /** Returns an error if the chat is deleted, because it then accepts no lines. Otherwise null. */
  async refusal(chatId: string): Promise<LoupeError | null> {
    return (await this.has(chatId)) ? failure('storage.chatDeleted') : null;
  }

  /** Adds a tombstone. Returns when it is on the disk. After a failure, there is no tombstone. */
  async add(chatId: string, usage: Tombstone['usage']): Promise<void> {
    const { pid, host, writerId } = this.#self;
    const folder = chatsFolder(this.#root);
    const path = tombstonePath(this.#root, chatId);
    // An incomplete tombstone would also delete the chat. So the file gets its name only when it is complete.
    const unfinished = `${path}.${writerId}`;
    const body = Buffer.from(JSON.stringify({ pid, host, usage } satisfies Tombstone).slice(0, -1));
    await this.#files.makeFolder(folder);
    await writeInOneStep(this.#files, path, { unfinished, bytes: Buffer.concat([body, Buffer.from(sumOf(body))]) });
    try {
      await this.#files.syncFolder(folder);
    } catch (thrown) {
      await this.#files.remove(path);
      throw thrown;
    }
  }

  /** Removes a tombstone if it exists. Returns when the removal is on the disk. */
  async remove(chatId: string): Promise<void> {
    if (await this.has(chatId)) {
      await this.#files.remove(tombstonePath(this.#root, chatId));
      await this.#files.syncFolder(chatsFolder(this.#root));
    }
  }

  async ids(): Promise<readonly string[]> {
    const names = await orIfMissing(readdir(chatsFolder(this.#root)), []);
    return names.map(tombstoneChat).filter((chatId) => chatId !== null);
  }

  /** Returns the usage of a deleted chat; null when the tombstone is missing or contains no usage. */
  async usage(chatId: string): Promise<Tombstone['usage']> {
    return (await this.#read(chatId))?.usage ?? null;
  }

  /** Returns deleted chats that no other process can restore: the deleting process has ended, or is this process. */
  async settled(): Promise<readonly string[]> {
    const marked = await this.ids();
    const marks = await Promise.all(marked.map((chatId) => this.#read(chatId)));
    const isSettled = (mark: Tombstone | null | undefined): boolean =>
      mark !== null && mark !== undefined && hasProcessEnded(mark, this.#self);
    return marked.filter((_, index) => isSettled(marks[index]));
  }

  /** Returns the content of a tombstone; null when the tombstone is missing or damaged. */
  async #read(chatId: string): Promise<Tombstone | null> {
    const bytes = await ifFile(tombstonePath(this.#root, chatId), (file) => file.bytes(0, file.size));
    // The checksum guarantees the shape.
    return bytes !== null && checkSum(bytes) === 'right' ? (JSON.parse(bytes.toString('utf8')) as Tombstone) : null;
  }
}
