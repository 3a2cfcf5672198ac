import { access, constants } from 'node:fs';
import { mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemCode } from './failure.js';

/*
 * The file operations that saving needs. They are an interface, so that a test can interrupt a write at any byte or
 * make any operation fail. Errors are Node's system errors.
 */

export interface DiskFile {
  /** `size` is in bytes. `links` is the number of the file's names: 0 after the open file was deleted. */
  stat(): Promise<{ readonly size: number; readonly links: number }>;
  /** Returns the byte at `position`, or null after the end. */
  byteAt(position: number): Promise<number | null>;
  /** Writes some of `bytes` at `position` and returns how many. The system may write fewer bytes than requested. */
  write(bytes: Uint8Array, position: number): Promise<number>;
  /** Like `write`, but returns when these bytes are on the disk. Bytes of earlier writes may still be missing there. */
  writeThrough(bytes: Uint8Array, position: number): Promise<number>;
  truncate(length: number): Promise<void>;
  /** Returns when all written data is on the disk (fdatasync). */
  datasync(): Promise<void>;
  close(): Promise<void>;
}

export interface Files {
  /** Opens a file for reading and writing. Creates a missing file and keeps the content of an existing one. */
  open(path: string): Promise<DiskFile>;
  /** Creates a folder and its parents. Accepts an existing folder. */
  makeFolder(path: string): Promise<void>;
  /** Returns when the names in the folder are on the disk. Without this, a crash can lose the name of a new file. */
  syncFolder(path: string): Promise<void>;
  exists(path: string): Promise<boolean>;
  rename(from: string, to: string): Promise<void>;
  /** Removes a file. Accepts a missing file. */
  remove(path: string): Promise<void>;
}

export const nodeFiles: Files = {
  open: openNodeFile,
  makeFolder: makeNodeFolder,
  syncFolder: syncNodeFolder,
  exists,
  rename,
  async remove(path) {
    await rm(path, { force: true });
  },
};

export async function makeNodeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
  } catch (thrown) {
    if (systemCode(thrown) !== 'ENOENT') {
      throw thrown;
    }
    // On a read-only disk, Node's recursive `mkdir` only reports ENOENT. Creating a single folder gives the real error.
    await makeFirst(await firstMissing(path));
    await mkdir(path, { recursive: true });
  }
}

async function makeFirst(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (thrown) {
    // Another VS Code window may have created the folder meanwhile.
    if (systemCode(thrown) !== 'EEXIST') {
      throw thrown;
    }
  }
}

/** Returns the highest folder in `path` that is missing. */
async function firstMissing(path: string): Promise<string> {
  const parent = dirname(path);
  return parent === path || (await exists(parent)) ? path : firstMissing(parent);
}

/**
 * On Linux, a file that was opened with O_DSYNC is written and synced in one call. This saves one thread switch, and
 * makes an append about a third faster. On other systems, the flag guarantees less than fdatasync, or does not exist.
 */
const THROUGH = process.platform === 'linux' ? constants.O_RDWR | constants.O_DSYNC : null;

async function openNodeFile(path: string): Promise<DiskFile> {
  const handle = await open(path, constants.O_RDWR | constants.O_CREAT);
  if (THROUGH === null) {
    return openFileOf(handle, null);
  }
  try {
    return openFileOf(handle, await open(path, THROUGH));
  } catch (thrown) {
    await handle.close();
    throw thrown;
  }
}

/** `through` is the same file, opened with O_DSYNC; null on systems other than Linux. */
function openFileOf(handle: FileHandle, through: FileHandle | null): DiskFile {
  return {
    async stat() {
      const { size, nlink } = await handle.stat();
      return { size, links: nlink };
    },
    async byteAt(position) {
      const { bytesRead, buffer } = await handle.read(new Uint8Array(1), 0, 1, position);
      return bytesRead === 0 ? null : (buffer[0] ?? null);
    },
    write: (bytes, position) => writeSome(handle, bytes, position),
    async writeThrough(bytes, position) {
      const written = await writeSome(through ?? handle, bytes, position);
      if (through === null) {
        await handle.datasync();
      }
      return written;
    },
    truncate: (length) => handle.truncate(length),
    datasync: () => handle.datasync(),
    async close() {
      await Promise.all([handle.close(), through?.close()]);
    },
  };
}

async function writeSome(handle: FileHandle, bytes: Uint8Array, position: number): Promise<number> {
  const { bytesWritten } = await handle.write(bytes, 0, bytes.length, position);
  return bytesWritten;
}

async function syncNodeFolder(path: string): Promise<void> {
  if (process.platform === 'win32') {
    // Windows cannot open folders as files. The file system NTFS protects names from crashes without this.
    return;
  }
  const handle = await open(path, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Whether a file exists. Uses a callback, because a promise returns the usual result, a missing file, more slowly. */
function exists(path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    access(path, (error) => {
      if (error === null) {
        resolve(true);
      } else if (systemCode(error) === 'ENOENT') {
        resolve(false);
      } else {
        reject(error);
      }
    });
  });
}

/** Writes all of `bytes` at `position`, in several writes if necessary. */
export async function writeFully(file: Pick<DiskFile, 'write'>, bytes: Uint8Array, position: number): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const count = await file.write(bytes.subarray(done), position + done);
    if (count <= 0) {
      throw new Error(`The system wrote none of ${String(bytes.length - done)} bytes and gave no reason.`);
    }
    done += count;
  }
}

/** Creates a file. Its name appears only when all bytes are on the disk. Call `syncFolder` to sync the name. */
export async function writeInOneStep(
  files: Files,
  path: string,
  { unfinished, bytes }: { readonly unfinished: string; readonly bytes: Uint8Array },
): Promise<void> {
  try {
    await writeDurably(files, unfinished, bytes);
    await files.rename(unfinished, path);
  } catch (thrown) {
    await files.remove(unfinished);
    throw thrown;
  }
}

/** Replaces the content of a file. Returns when the content is on the disk. Call `syncFolder` to sync the name. */
export async function writeDurably(files: Files, path: string, bytes: Uint8Array): Promise<void> {
  await withOpen(files, path, async (file) => {
    await file.truncate(0);
    await writeFully(file, bytes, 0);
    await file.datasync();
  });
}

export async function withOpen(files: Files, path: string, job: (file: DiskFile) => Promise<void>): Promise<void> {
  const file = await files.open(path);
  try {
    await job(file);
  } finally {
    await file.close();
  }
}
