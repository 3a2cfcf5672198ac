import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { failure } from '../engine/errors.js';
import { STORAGE_WORK } from '../engine/failures/storage.js';
import { orIfMissing, withStorageError } from './files/failure.js';
import { writeInOneStep } from './files/files.js';
import { readWhole, withFile } from './files/regularFile.js';
import { sha256InBackground } from './files/sha256.js';
import type { JournalOptions } from './log/journal.js';

const SHA_256 = /^[0-9a-f]{64}$/;

/** Whether a name is the name of a complete blob. Other files in the `blobs` folder may be incomplete. */
export function isBlobName(name: string): boolean {
  return SHA_256.test(name);
}

/** The first blob creates the folder. If `refusal` returns an error, the blob is not written. */
export type BlobOptions = Pick<JournalOptions, 'folder' | 'files' | 'random' | 'refusal'>;

/**
 * Stores content of a chat that is too large for a log line. A blob's file name is its SHA-256. The file gets this name
 * only when it is complete. `put` returns when the file is on the disk. So a log line never refers to a missing blob.
 */
export class Blobs {
  readonly #options: BlobOptions;

  constructor(options: BlobOptions) {
    this.#options = options;
  }

  /** Stores `bytes` and returns their SHA-256 in hex. Throws a `LoupeError` (`storage`) on failure. */
  async put(bytes: Uint8Array): Promise<string> {
    const sha = await sha256InBackground(bytes);
    await withStorageError(STORAGE_WORK.saveContent, async () => {
      const refusal = await this.#options.refusal();
      if (refusal !== null) {
        throw refusal;
      }
      if (await this.#options.files.exists(this.#path(sha))) {
        // Throws if a folder or a pipe has the blob's name, because the content is then not stored.
        await withFile(this.#path(sha), () => Promise.resolve());
      } else {
        await this.#create(sha, bytes);
      }
    });
    return sha;
  }

  /** Returns the bytes of a blob. Throws a `LoupeError` (`storage`) when the blob is missing or damaged. */
  async get(sha: string): Promise<Uint8Array> {
    if (!isBlobName(sha)) {
      throw failure('storage.badContentName', { name: JSON.stringify(sha) });
    }
    const bytes = await withStorageError(STORAGE_WORK.readContent(sha), () => readWhole(this.#path(sha)));
    if ((await sha256InBackground(bytes)) !== sha) {
      throw failure('storage.damagedContent', { sha });
    }
    return bytes;
  }

  names(): Promise<readonly string[]> {
    return withStorageError(STORAGE_WORK.readContents, async () => {
      const found = await orIfMissing(readdir(join(this.#options.folder, 'blobs')), []);
      return found.filter(isBlobName).sort();
    });
  }

  async #create(sha: string, bytes: Uint8Array): Promise<void> {
    const { files, folder, random } = this.#options;
    const path = this.#path(sha);
    await files.makeFolder(dirname(path));
    await writeInOneStep(files, path, { unfinished: `${path}.${random.hex(8)}.tmp`, bytes });
    // Syncs the folder of the blob, then the chat's folder, because `blobs` may be new.
    await files.syncFolder(dirname(path));
    await files.syncFolder(folder);
  }

  #path(sha: string): string {
    return join(this.#options.folder, 'blobs', sha);
  }
}
