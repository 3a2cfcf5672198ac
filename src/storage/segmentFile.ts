import { dirname } from 'node:path';
import { failure } from '../engine/errors.js';
import { writeFully, type Files, type OpenFile } from './files.js';
import { LINE_FEED } from './segment.js';

/**
 * The own segment of a writer, open for appending whole lines. It is written by position, never "at the end":
 * after a failed write the next one starts where the last whole line ends and so replaces the torn tail, even
 * when that could not be cut off.
 */
export class SegmentFile {
  readonly #file: OpenFile;
  /** Whether the file system counts names at all; only then a count of 0 says that the file was deleted. */
  readonly #countsLinks: boolean;
  /** Where the last whole line ends, in bytes. */
  #length: number;
  /** Up to where the file is known to be on the disk. */
  #synced: number;
  /** What was written from `#synced` to `#length`. */
  #unsynced: Uint8Array[] = [];
  #syncFailed = false;

  /**
   * Opens or creates the segment; its name is on the disk when this returns. A last line without line feed, torn
   * or not, is ended, so that nothing ever continues it.
   */
  static async open(files: Files, path: string): Promise<SegmentFile> {
    const folder = dirname(path);
    await files.makeFolder(folder);
    const file = await files.open(path);
    try {
      const { size, links } = await file.stat();
      const segment = new SegmentFile(file, size, links > 0);
      if (size > 0 && (await file.byteAt(size - 1)) !== LINE_FEED) {
        await segment.append(Uint8Array.of(LINE_FEED), false, () => Promise.resolve());
      }
      // The chat's folder, `chats` and the root may all be new: each of their names has to last.
      await files.syncFolder(folder);
      await files.syncFolder(dirname(folder));
      await files.syncFolder(dirname(dirname(folder)));
      return segment;
    } catch (thrown) {
      await file.close();
      throw thrown;
    }
  }

  private constructor(file: OpenFile, size: number, countsLinks: boolean) {
    this.#file = file;
    this.#length = size;
    this.#synced = size;
    this.#countsLinks = countsLinks;
  }

  /**
   * Writes whole lines; durable ones together with the disk where nothing before them waits for it, so that `sync` has
   * nothing to do. `allow` is asked meanwhile and rejects when the chat takes no lines. When any of that fails the file
   * ends with the last whole line again, and the error is thrown.
   */
  async append(lines: Uint8Array, isDurable: boolean, allow: () => Promise<void>): Promise<void> {
    if (lines.length === 0) {
      await allow();
      return;
    }
    const isThrough = isDurable && this.#unsynced.length === 0;
    // Bytes that reach a deleted file, or one whose chat was deleted, do no harm: so the write, which takes longest, goes
    // first, and the two looks are taken meanwhile.
    const [written, named, allowed] = await Promise.allSettled([this.#write(lines, isThrough), this.#refuseDeleted(), allow()]);
    for (const result of [allowed, named, written]) {
      if (result.status === 'rejected') {
        throw await this.#cutTail(result.reason);
      }
    }
    this.#length += lines.length;
    if (isThrough) {
      this.#synced = this.#length;
    } else {
      this.#unsynced.push(lines);
    }
  }

  /**
   * Returns when all lines are on the disk. After a failed attempt the system may hold pages it could not write
   * for clean, and would then call the next attempt a success: so that one writes the same bytes again first.
   */
  async sync(): Promise<void> {
    if (this.#unsynced.length === 0) {
      return;
    }
    if (this.#syncFailed) {
      await writeFully(this.#file, Buffer.concat(this.#unsynced), this.#synced);
    }
    try {
      await this.#file.datasync();
    } catch (thrown) {
      this.#syncFailed = true;
      throw thrown;
    }
    this.#syncFailed = false;
    this.#synced = this.#length;
    this.#unsynced = [];
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  #write(lines: Uint8Array, isThrough: boolean): Promise<void> {
    const file = this.#file;
    return writeFully(isThrough ? { write: (bytes, position) => file.writeThrough(bytes, position) } : file, lines, this.#length);
  }

  /** Cuts a torn line off after a failed write. Returns what to throw: both errors when this fails as well. */
  async #cutTail(cause: unknown): Promise<unknown> {
    try {
      await this.#file.truncate(this.#length);
      return cause;
    } catch (thrown) {
      return new AggregateError([cause, thrown], 'A torn line could not be cut off.', { cause });
    }
  }

  /** A deleted file takes writes as long as it is open, and loses them. */
  async #refuseDeleted(): Promise<void> {
    if (this.#countsLinks && (await this.#file.stat()).links === 0) {
      throw failure('storage.fileGone');
    }
  }
}
