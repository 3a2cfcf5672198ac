import { constants, fstatSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { systemCode } from './failure.js';

/*
 * Whatever is read below the storage root is opened here, for anything may stand under the name of a file: opening a
 * pipe waits for someone who writes to it, and reading a device may never end. Links are followed, as people keep such
 * folders elsewhere.
 */

/** Something that is no regular file stands where one should. It is told as the system tells such things, by a code. */
export class NotAFile extends Error {
  override readonly name = 'NotAFile';
  readonly code: 'EISDIR' | 'EFTYPE';

  constructor(isFolder: boolean) {
    super('This is not a regular file.');
    this.code = isFolder ? 'EISDIR' : 'EFTYPE';
  }
}

/** What opening a socket fails with, on Linux and on macOS. */
const SOCKET_CODES: readonly (string | null)[] = ['ENXIO', 'EOPNOTSUPP'];

/** Opens a regular file for reading. Throws `NotAFile`, and Node's system errors. Never waits for anybody. */
export async function openFile(path: string): Promise<FileHandle> {
  const file = await openAnything(path);
  try {
    // Asked of what was opened: whatever was seen under the name before may be another one by now. And asked at once:
    // the system knows it from the opening, and another thread would take 0.04 ms for it, which opening a chat notices.
    const stats = fstatSync(file.fd);
    if (!stats.isFile()) {
      throw new NotAFile(stats.isDirectory());
    }
    return file;
  } catch (thrown) {
    await file.close();
    throw thrown;
  }
}

/** All bytes of a regular file. Throws as `openFile` does. */
export async function readWhole(path: string): Promise<Buffer> {
  const file = await openFile(path);
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
}

async function openAnything(path: string): Promise<FileHandle> {
  try {
    return await open(path, constants.O_RDONLY | DO_NOT_WAIT);
  } catch (thrown) {
    throw SOCKET_CODES.includes(systemCode(thrown)) ? new NotAFile(false) : thrown;
  }
}

/** For opening: a pipe at whose other end is nobody is not waited for. Windows has no such flag, and needs none. */
export const DO_NOT_WAIT = (constants as Readonly<Record<string, number | undefined>>)['O_NONBLOCK'] ?? 0;
