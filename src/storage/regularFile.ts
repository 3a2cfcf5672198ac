import { closeSync, constants, fstatSync, open, read } from 'node:fs';
import { promisify } from 'node:util';
import { systemCode } from './failure.js';

/*
 * Whatever is read below the storage root is opened here, for anything may stand under the name of a file: opening a
 * pipe waits for someone who writes to it, and reading a device may never end. Links are followed, as people keep such
 * folders elsewhere.
 */

/** Something that is no regular file stands where one should. It is told as the system tells such things, by a code. */
class NotAFile extends Error {
  override readonly name = 'NotAFile';
  readonly code: 'EISDIR' | 'EFTYPE';

  constructor(isFolder: boolean) {
    super('This is not a regular file.');
    this.code = isFolder ? 'EISDIR' : 'EFTYPE';
  }
}

/**
 * A regular file, open for reading. What the system knows of an open file, and closing one, is asked of it at once:
 * each round through another thread takes 0.05 ms or more, which opening a chat notices.
 */
class RegularFile {
  /** When it was opened, in bytes. */
  readonly size: number;
  /** When it was opened, in epoch milliseconds. */
  readonly mtimeMs: number;
  readonly #descriptor: number;

  constructor(descriptor: number) {
    // Asked of what was opened: whatever was seen under the name before may be another one by now.
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) {
      throw new NotAFile(stats.isDirectory());
    }
    this.size = stats.size;
    this.mtimeMs = stats.mtimeMs;
    this.#descriptor = descriptor;
  }

  /** Fills the beginning of `buffer` with what stands at `position`. Resolves to how many bytes came: 0 where the file ends. */
  async readInto(buffer: Buffer, position: number): Promise<number> {
    const { bytesRead } = await readDescriptor(this.#descriptor, buffer, 0, buffer.length, position);
    return bytesRead;
  }

  /** `length` bytes from `position` on, fewer where the file ends. */
  async bytes(position: number, length: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(length);
    let done = 0;
    while (done < length) {
      const count = await this.readInto(bytes.subarray(done), position + done);
      if (count === 0) {
        // The file ends here, perhaps because it was cut while it was read.
        break;
      }
      done += count;
    }
    return bytes.subarray(0, done);
  }
}

export type { RegularFile };

/**
 * Opens a regular file for reading, and closes it when `job` has ended: nothing may read on after that. Throws
 * `NotAFile`, Node's system errors, and what `job` throws. Opening never waits for anybody.
 */
export async function withFile<T>(path: string, job: (file: RegularFile) => Promise<T>): Promise<T> {
  const descriptor = await openAnything(path);
  try {
    return await job(new RegularFile(descriptor));
  } finally {
    closeSync(descriptor);
  }
}

/** The same; null where no regular file is. */
export async function ifFile<T>(path: string, job: (file: RegularFile) => Promise<T>): Promise<T | null> {
  try {
    return await withFile(path, job);
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT' || thrown instanceof NotAFile) {
      return null;
    }
    throw thrown;
  }
}

/** `length` bytes of a regular file from `position` on, fewer where it ends. Throws as `withFile` does. */
export function readRange(path: string, position: number, length: number): Promise<Buffer> {
  return withFile(path, (file) => file.bytes(position, length));
}

/** All bytes of a regular file. Throws as `withFile` does. */
export function readWhole(path: string): Promise<Buffer> {
  return withFile(path, (file) => file.bytes(0, file.size));
}

const openDescriptor = promisify(open);
const readDescriptor = promisify(read);

/** What opening a socket fails with, on Linux and on macOS. */
const SOCKET_CODES: readonly (string | null)[] = ['ENXIO', 'EOPNOTSUPP'];

async function openAnything(path: string): Promise<number> {
  try {
    return await openDescriptor(path, constants.O_RDONLY | DO_NOT_WAIT);
  } catch (thrown) {
    throw SOCKET_CODES.includes(systemCode(thrown)) ? new NotAFile(false) : thrown;
  }
}

/** For opening: a pipe at whose other end is nobody is not waited for. Windows has no such flag, and needs none. */
const DO_NOT_WAIT = (constants as Readonly<Record<string, number | undefined>>)['O_NONBLOCK'] ?? 0;
