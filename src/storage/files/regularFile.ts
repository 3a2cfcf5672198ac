import { closeSync, constants, fstatSync, open, read } from 'node:fs';
import { promisify } from 'node:util';
import { systemCode } from './failure.js';

/*
 * Reads only regular files below the storage root. A pipe would make Loupe wait for a writer, and a device may have no
 * end. Follows links, because some users move folders below the storage root to other places.
 */

/** The error if the name belongs to something other than a regular file. `code` is like the code of system errors. */
class NotAFile extends Error {
  override readonly name = 'NotAFile';
  readonly code: 'EISDIR' | 'EFTYPE';

  constructor(isFolder: boolean) {
    super('This is not a regular file.');
    this.code = isFolder ? 'EISDIR' : 'EFTYPE';
  }
}

/** A regular file, open for reading. `fstat` and `close` are synchronous: a thread switch would take 0.05 ms. */
class RegularFile {
  /** The size in bytes when the file was opened. */
  readonly size: number;
  /** The modification time when the file was opened, in epoch milliseconds. */
  readonly mtimeMs: number;
  readonly #descriptor: number;

  constructor(descriptor: number) {
    // Examines the open file, because the name may now belong to another file.
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) {
      throw new NotAFile(stats.isDirectory());
    }
    this.size = stats.size;
    this.mtimeMs = stats.mtimeMs;
    this.#descriptor = descriptor;
  }

  /** Fills `buffer` from `position`. Returns the number of bytes read, which is smaller only at the end of the file. */
  async readInto(buffer: Buffer, position: number): Promise<number> {
    let done = 0;
    while (done < buffer.length) {
      // A file on a network may return fewer bytes than requested.
      const { bytesRead } = await readDescriptor(this.#descriptor, buffer, done, buffer.length - done, position + done);
      if (bytesRead === 0) {
        // The end of the file. The file may be shorter now than when it was opened.
        break;
      }
      done += bytesRead;
    }
    return done;
  }

  /** Returns `length` bytes from `position`; fewer at the end of the file. */
  async bytes(position: number, length: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(length);
    return bytes.subarray(0, await this.readInto(bytes, position));
  }
}

export type { RegularFile };

/**
 * Opens a regular file for `job`, then closes it. Never waits for another process. Throws `NotAFile`, system errors.
 */
export async function withFile<T>(path: string, job: (file: RegularFile) => Promise<T>): Promise<T> {
  const descriptor = await openAnything(path);
  try {
    return await job(new RegularFile(descriptor));
  } finally {
    closeSync(descriptor);
  }
}

/** Like `withFile`, but returns null when there is no regular file with this name. */
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

/** Returns `length` bytes of a regular file from `position`; fewer at its end. Throws the errors of `withFile`. */
export function readRange(path: string, position: number, length: number): Promise<Buffer> {
  return withFile(path, (file) => file.bytes(position, length));
}

/** Returns all bytes of a regular file. Throws the errors of `withFile`. */
export function readWhole(path: string): Promise<Buffer> {
  return withFile(path, (file) => file.bytes(0, file.size));
}

const openDescriptor = promisify(open);
const readDescriptor = promisify(read);

/** The codes of the error for opening a socket, on Linux and on macOS. */
const SOCKET_CODES: readonly (string | null)[] = ['ENXIO', 'EOPNOTSUPP'];

async function openAnything(path: string): Promise<number> {
  try {
    return await openDescriptor(path, constants.O_RDONLY | DO_NOT_WAIT);
  } catch (thrown) {
    throw SOCKET_CODES.includes(systemCode(thrown)) ? new NotAFile(false) : thrown;
  }
}

/** The flag to open a pipe without waiting for its other end. Windows has no such flag and needs none. */
const DO_NOT_WAIT = (constants as Readonly<Record<string, number | undefined>>)['O_NONBLOCK'] ?? 0;
