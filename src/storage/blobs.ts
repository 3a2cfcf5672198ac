import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { failure, type LoupeError } from '../engine/errors.js';
import type { RandomHex } from '../engine/ports.js';
import { STORAGE_WORK } from '../engine/failures/storage.js';
import { told } from './failure.js';
import { writeDurably, type Files } from './files.js';
import { readWhole, withFile } from './regularFile.js';

const SHA_256 = /^[0-9a-f]{64}$/;

/** Whether a file among the blobs is one: another may be half written. */
export function isBlobName(name: string): boolean {
  return SHA_256.test(name);
}

export interface BlobOptions {
  /** The chat's folder; created with the first blob. */
  readonly folder: string;
  readonly files: Files;
  /** For the names of files that are being written. */
  readonly random: RandomHex;
  /** Asked before each write: why the chat takes nothing now, or null. */
  readonly refusal: () => Promise<LoupeError | null>;
}

/**
 * Content of one chat that is too large for its log, named by its SHA-256. A blob is complete from the moment it
 * has its name, and on the disk before `put` returns, so a line that names it never points to nothing.
 */
export class Blobs {
  readonly #options: BlobOptions;

  constructor(options: BlobOptions) {
    this.#options = options;
  }

  /** Keeps `bytes` and returns their SHA-256 in hex. Throws a `LoupeError` (`storage`) when that fails. */
  async put(bytes: Uint8Array): Promise<string> {
    const sha = sha256(bytes);
    await told(STORAGE_WORK.saveContent, async () => {
      const refusal = await this.#options.refusal();
      if (refusal !== null) {
        throw refusal;
      }
      if (await this.#options.files.exists(this.#path(sha))) {
        // What is no file has kept nothing, whatever its name.
        await withFile(this.#path(sha), () => Promise.resolve());
      } else {
        await this.#create(sha, bytes);
      }
    });
    return sha;
  }

  /** The bytes of a blob. Throws a `LoupeError`: `storage` when they are missing or damaged. */
  async get(sha: string): Promise<Uint8Array> {
    if (!isBlobName(sha)) {
      throw failure('storage.badContentName', { name: JSON.stringify(sha) });
    }
    const bytes = await told(STORAGE_WORK.readContent(sha), () => readWhole(this.#path(sha)));
    if (sha256(bytes) !== sha) {
      throw failure('storage.damagedContent', { sha });
    }
    return bytes;
  }

  async #create(sha: string, bytes: Uint8Array): Promise<void> {
    const { files, folder, random } = this.#options;
    const path = this.#path(sha);
    const unfinished = `${path}.${random.hex(8)}.tmp`;
    await files.makeFolder(dirname(path));
    try {
      await writeDurably(files, unfinished, bytes);
      await files.rename(unfinished, path);
    } catch (thrown) {
      await files.remove(unfinished);
      throw thrown;
    }
    // The name of the blob, and that of a new `blobs` folder.
    await files.syncFolder(dirname(path));
    await files.syncFolder(folder);
  }

  #path(sha: string): string {
    return join(this.#options.folder, 'blobs', sha);
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
