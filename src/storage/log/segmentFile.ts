import { dirname } from 'node:path';
import { failure } from '../../engine/errors.js';
import { writeFully, type Files, type OpenFile } from '../files/files.js';
import { LINE_FEED } from './segment.js';

/**
 * A writer's own segment, open for appending whole lines. It is written by offset, never "at the end". After a failed
 * write, the next one starts at the end of the last whole line. So it replaces the torn tail, even when that could
 * not be cut off.
 */
export class SegmentFile {
  readonly #file: OpenFile;
  /** Whether the file system counts links at all: only then a count of 0 means that the file was deleted. */
  readonly #countsLinks: boolean;
  /** End of the last whole line, in bytes. */
  #length: number;
  /** The file is known to be on the disk up to this offset. */
  #synced: number;
  /** The bytes from `#synced` to `#length`. */
  #unsynced: Uint8Array[] = [];
  #syncFailed = false;

  /**
   * Opens or creates the segment; its name is on the disk when this returns. Appends a line feed to a last line
   * without one, so that no write continues that line.
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
      // The chat's folder, `chats` and the root may all be new: each name must survive a crash.
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
   * Appends whole lines. Durable lines are written through to the disk when all earlier ones are there, so that
   * `sync` has nothing to do. Calls `allow` meanwhile, which rejects when the chat refuses lines. When any of these
   * fails, cuts the lines off again and throws the error.
   */
  async append(lines: Uint8Array, isDurable: boolean, allow: () => Promise<void>): Promise<void> {
    if (lines.length === 0) {
      await allow();
      return;
    }
    const isThrough = isDurable && this.#unsynced.length === 0;
    // Bytes in a deleted file, or in a deleted chat, do no harm. So the write, which takes longest, does not wait for
    // the two checks.
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
   * Returns when all lines are on the disk. After a failed sync, the system may treat pages it could not write as
   * clean, and report the next sync as a success. So the next sync first writes the same bytes again.
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

  /** Cuts a torn line off after a failed write. Returns what to throw: both errors when this fails too. */
  async #cutTail(cause: unknown): Promise<unknown> {
    try {
      await this.#file.truncate(this.#length);
      return cause;
    } catch (thrown) {
      return new AggregateError([cause, thrown], 'A torn line could not be cut off.', { cause });
    }
  }

  /** A deleted file that is still open accepts writes and loses them. */
  async #refuseDeleted(): Promise<void> {
    if (this.#countsLinks && (await this.#file.stat()).links === 0) {
      throw failure('storage.fileGone');
    }
  }
}
