import { dirname } from 'node:path';
import { failure } from '../../engine/errors.js';
import { writeFully, type Files, type DiskFile } from '../files/files.js';
import { LINE_FEED } from './segment.js';

/**
 * The segment of one writer, open for appending whole lines. Lines are written at offsets, never "at the end". So the
 * next write after a failed write begins after the last whole line, and overwrites the remains of the failed write.
 */
export class SegmentFile {
  readonly #file: DiskFile;
  /** Whether the file system reports numbers of links. If it does, the number 0 means that the file was deleted. */
  readonly #countsLinks: boolean;
  /** End of the last whole line, in bytes. */
  #length: number;
  /** Bytes before this offset are known to be on the disk. */
  #synced: number;
  /** The bytes from `#synced` to `#length`. */
  #unsynced: Uint8Array[] = [];
  #syncFailed = false;

  /** Opens or creates the segment, and syncs its name. Adds a line feed after an incomplete last line. */
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
      // The chat's folder, `chats` and the root may all be new. All names must be on the disk.
      await files.syncFolder(folder);
      await files.syncFolder(dirname(folder));
      await files.syncFolder(dirname(dirname(folder)));
      return segment;
    } catch (thrown) {
      await file.close();
      throw thrown;
    }
  }

  private constructor(file: DiskFile, size: number, countsLinks: boolean) {
    this.#file = file;
    this.#length = size;
    this.#synced = size;
    this.#countsLinks = countsLinks;
  }

  /**
   * Appends whole lines. If all earlier lines are on the disk, durable lines are written directly to the disk. `sync`
   * then has nothing to do. Calls `allow` during the write; `allow` rejects when the chat refuses lines. After a
   * failure, removes the lines and throws the error.
   */
  async append(lines: Uint8Array, isDurable: boolean, allow: () => Promise<void>): Promise<void> {
    if (lines.length === 0) {
      await allow();
      return;
    }
    const isThrough = isDurable && this.#unsynced.length === 0;
    // Lines in a deleted file or chat do no harm. So the write, which takes longest, does not wait for the two checks.
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
   * Returns when all lines are on the disk. After a failed sync, the system can drop pages that it has not written, and
   * report the next sync as a success. So the next sync first writes the same bytes again.
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

  /** Removes lines after a failed write. Returns the error to throw: both errors if the removal also fails. */
  async #cutTail(cause: unknown): Promise<unknown> {
    try {
      await this.#file.truncate(this.#length);
      return cause;
    } catch (thrown) {
      return new AggregateError([cause, thrown], 'A torn line could not be cut off.', { cause });
    }
  }

  /** Throws when the file was deleted. A deleted file that is still open accepts writes, but loses them. */
  async #refuseDeleted(): Promise<void> {
    if (this.#countsLinks && (await this.#file.stat()).links === 0) {
      throw failure('storage.fileGone');
    }
  }
}
