import { readdir } from 'node:fs/promises';
import type { AttemptUsage } from '../../engine/accounting/attemptUsage.js';
import { failure, type LoupeError } from '../../engine/errors.js';
import { checkSum, sumOf } from '../files/checksum.js';
import { orIfMissing } from '../files/failure.js';
import { writeInOneStep, type Files } from '../files/files.js';
import { chatsFolder, tombstoneChat, tombstonePath } from '../files/layout.js';
import { hasProcessEnded, type ProcessName, type WriterIdentity } from './liveness.js';
import { ifFile } from '../files/regularFile.js';

/** The content of a tombstone, with a checksum as its last member. */
interface Tombstone extends ProcessName {
  /** The usage of the chat's attempts; null when the chat could not be read. */
  readonly usage: readonly AttemptUsage[] | null;
}

/**
 * The tombstones of deleted chats. A tombstone outlives its chat's folder. A window that still has the chat open checks
 * for it at each write, and so never creates the chat again. It keeps the chat's usage, and names the process that can
 * undo the deletion.
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

  /** Returns why the chat accepts no more lines, or null when it is not deleted. */
  async refusal(chatId: string): Promise<LoupeError | null> {
    return (await this.has(chatId)) ? failure('storage.chatDeleted') : null;
  }

  /** Adds a tombstone. It is on the disk when this returns; a failure leaves none. */
  async add(chatId: string, usage: Tombstone['usage']): Promise<void> {
    const { pid, host, writerId } = this.#self;
    const folder = chatsFolder(this.#root);
    const path = tombstonePath(this.#root, chatId);
    // A partial tombstone would count as one, so the file gets its name only when it is complete.
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

  /** Removes a tombstone, if there is one. The removal is on the disk when this returns. */
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

  /** Returns the usage of a deleted chat, or null when its tombstone has none or is missing. */
  async usage(chatId: string): Promise<Tombstone['usage']> {
    return (await this.#read(chatId))?.usage ?? null;
  }

  /** Returns deleted chats that cannot be restored: the process that deleted them is dead, or is this one. */
  async settled(): Promise<readonly string[]> {
    const marked = await this.ids();
    const marks = await Promise.all(marked.map((chatId) => this.#read(chatId)));
    const isSettled = (mark: Tombstone | null | undefined): boolean =>
      mark !== null && mark !== undefined && hasProcessEnded(mark, this.#self);
    return marked.filter((_, index) => isSettled(marks[index]));
  }

  /** Returns null without a tombstone, or for a damaged one, which has no known writer. */
  async #read(chatId: string): Promise<Tombstone | null> {
    const bytes = await ifFile(tombstonePath(this.#root, chatId), (file) => file.bytes(0, file.size));
    // The checksum guarantees the shape.
    return bytes !== null && checkSum(bytes) === 'right' ? (JSON.parse(bytes.toString('utf8')) as Tombstone) : null;
  }
}
