import { closeSync, constants, fstatSync, open, read } from 'node:fs';
import { promisify } from 'node:util';
import { systemCode } from './failure.js';

/*
 * All files below the storage root are opened for reading here, because a name may belong to anything. Opening a pipe
 * waits for a writer, and reading a device may never end. Links are followed, because people keep such folders
 * elsewhere.
 */

/** Something other than a regular file has the name. Like system errors, it carries a code. */
class NotAFile extends Error {
  override readonly name = 'NotAFile';
  readonly code: 'EISDIR' | 'EFTYPE';

  constructor(isFolder: boolean) {
    super('This is not a regular file.');
    this.code = isFolder ? 'EISDIR' : 'EFTYPE';
  }
}

/**
 * A regular file, open for reading. `fstat` and `close` are synchronous: each round trip to another thread takes
 * 0.05 ms or more, which slows the opening of a chat.
 */
class RegularFile {
  /** When it was opened, in bytes. */
  readonly size: number;
  /** When it was opened, in epoch milliseconds. */
  readonly mtimeMs: number;
  readonly #descriptor: number;

  constructor(descriptor: number) {
    // Stats of the open file: the name may belong to another file by now.
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) {
      throw new NotAFile(stats.isDirectory());
    }
    this.size = stats.size;
    this.mtimeMs = stats.mtimeMs;
    this.#descriptor = descriptor;
  }

  /** Fills `buffer` from `position` on. Resolves to the number of bytes read: fewer than asked only at the end of the file. */
  async readInto(buffer: Buffer, position: number): Promise<number> {
    let done = 0;
    while (done < buffer.length) {
      // A network folder may give fewer bytes than there are.
      const { bytesRead } = await readDescriptor(this.#descriptor, buffer, done, buffer.length - done, position + done);
      if (bytesRead === 0) {
        // The end of the file. It may have been cut since it was opened.
        break;
      }
      done += bytesRead;
    }
    return done;
  }

  /** `length` bytes from `position` on; fewer at the end of the file. */
  async bytes(position: number, length: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(length);
    return bytes.subarray(0, await this.readInto(bytes, position));
  }
}

export type { RegularFile };

/**
 * Opens a regular file for reading, and closes it when `job` has ended: nothing may read it after that. Throws
 * `NotAFile`, Node's system errors, and the errors of `job`. Opening never waits for another process.
 */
export async function withFile<T>(path: string, job: (file: RegularFile) => Promise<T>): Promise<T> {
  const descriptor = await openAnything(path);
  try {
    return await job(new RegularFile(descriptor));
  } finally {
    closeSync(descriptor);
  }
}

/** Like `withFile`, but gives null when there is no regular file. */
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

/** `length` bytes of a regular file from `position` on; fewer at its end. Throws the errors of `withFile`. */
export function readRange(path: string, position: number, length: number): Promise<Buffer> {
  return withFile(path, (file) => file.bytes(position, length));
}

/** All bytes of a regular file. Throws the errors of `withFile`. */
export function readWhole(path: string): Promise<Buffer> {
  return withFile(path, (file) => file.bytes(0, file.size));
}

const openDescriptor = promisify(open);
const readDescriptor = promisify(read);

/** The codes for opening a socket, on Linux and on macOS. */
const SOCKET_CODES: readonly (string | null)[] = ['ENXIO', 'EOPNOTSUPP'];

async function openAnything(path: string): Promise<number> {
  try {
    return await openDescriptor(path, constants.O_RDONLY | DO_NOT_WAIT);
  } catch (thrown) {
    throw SOCKET_CODES.includes(systemCode(thrown)) ? new NotAFile(false) : thrown;
  }
}

/** Opens a pipe without waiting for its other end. Windows has no such flag, and needs none. */
const DO_NOT_WAIT = (constants as Readonly<Record<string, number | undefined>>)['O_NONBLOCK'] ?? 0;
