import { readdir } from 'node:fs/promises';
import type { UsageRow } from '../engine/accounting/usageRow.js';
import { failure, type LoupeError } from '../engine/errors.js';
import { checkSum, sumOf } from './checksum.js';
import { whereThere } from './failure.js';
import { writeInOneStep, type Files } from './files.js';
import { chatsFolder, tombstoneChat, tombstonePath } from './layout.js';
import { isGone, type ProcessName, type WriterIdentity } from './liveness.js';
import { ifFile } from './regularFile.js';

/** What a mark says, with a checksum as its last member. */
interface Mark extends ProcessName {
  /** What the attempts of the chat used; null when the chat could not be read. */
  readonly usage: readonly UsageRow[] | null;
}

/**
 * The marks of deleted chats. A mark outlives its chat's folder: a window that still holds the chat asks for it
 * at each write and so never brings the chat back. It names the process that can still undo the deletion, and keeps
 * what the chat has used.
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

  /** Why the chat takes nothing more; null when it is not deleted. */
  async refusal(chatId: string): Promise<LoupeError | null> {
    return (await this.has(chatId)) ? failure('storage.chatDeleted') : null;
  }

  /** On the disk when this returns. When it fails there is no mark. */
  async add(chatId: string, usage: Mark['usage']): Promise<void> {
    const { pid, host, writerId } = this.#self;
    const folder = chatsFolder(this.#root);
    const path = tombstonePath(this.#root, chatId);
    // A part of a mark would be one: it gets its name when it is whole.
    const unfinished = `${path}.${writerId}`;
    const body = Buffer.from(JSON.stringify({ pid, host, usage } satisfies Mark).slice(0, -1));
    await this.#files.makeFolder(folder);
    await writeInOneStep(this.#files, path, { unfinished, bytes: Buffer.concat([body, Buffer.from(sumOf(body))]) });
    try {
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

  /** The deleted chats. */
  async ids(): Promise<readonly string[]> {
    const names = await whereThere(readdir(chatsFolder(this.#root)), []);
    return names.map(tombstoneChat).filter((chatId) => chatId !== null);
  }

  /** What a deleted chat has used; null when its mark does not say it, and without one. */
  async usage(chatId: string): Promise<Mark['usage']> {
    return (await this.#read(chatId))?.usage ?? null;
  }

  /** Deleted chats that nobody can bring back any more: deleted by this process, which is closing, or a dead one. */
  async settled(): Promise<readonly string[]> {
    const marked = await this.ids();
    const marks = await Promise.all(marked.map((chatId) => this.#read(chatId)));
    const isSettled = (mark: Mark | null | undefined): boolean => mark !== null && mark !== undefined && isGone(mark, this.#self);
    return marked.filter((_, index) => isSettled(marks[index]));
  }

  /** Null without a mark, and for a damaged one: nobody is known to have made that. */
  async #read(chatId: string): Promise<Mark | null> {
    const bytes = await ifFile(tombstonePath(this.#root, chatId), (file) => file.bytes(0, file.size));
    // The checksum vouches for the shape.
    return bytes !== null && checkSum(bytes) === 'right' ? (JSON.parse(bytes.toString('utf8')) as Mark) : null;
  }
}
