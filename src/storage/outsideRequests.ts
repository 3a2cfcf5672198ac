import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AttemptUsage } from '../engine/accounting/attemptUsage.js';
import { failure, toLoupeError, type LoupeError } from '../engine/errors.js';
import { STORAGE_WORK } from '../engine/failures/storage.js';
import { checkSum, sumOf } from './files/checksum.js';
import { orIfMissing, withStorageError } from './files/failure.js';
import { writeInOneStep, type Files } from './files/files.js';
import { isRequestFile, requestPath, requestsFolder } from './files/layout.js';
import { ifFile } from './files/regularFile.js';

export interface OutsideRequestsOptions {
  readonly root: string;
  readonly files: Files;
  /** Logs an error of a file that cannot be used. */
  readonly report: (error: Error) => void;
}

/** Requests that belong to no chat, such as test messages. Each has its own file, so that windows share no file. */
export class OutsideRequests {
  readonly #options: OutsideRequestsOptions;
  readonly #reported = new Set<string>();

  constructor(options: OutsideRequestsOptions) {
    this.#options = options;
  }

  /** Stores a request. Returns when the request is on the disk. */
  async add(request: AttemptUsage): Promise<void> {
    const { root, files } = this.#options;
    const path = requestPath(root, request.id);
    const body = Buffer.from(JSON.stringify(request).slice(0, -1));
    await withStorageError(STORAGE_WORK.saveRequest, async () => {
      await files.makeFolder(requestsFolder(root));
      await writeInOneStep(files, path, { unfinished: `${path}.new`, bytes: Buffer.concat([body, Buffer.from(sumOf(body))]) });
      await files.syncFolder(requestsFolder(root));
    });
  }

  /** Returns all requests. A damaged or unreadable file is reported once and skipped. */
  async all(): Promise<readonly AttemptUsage[]> {
    const { root } = this.#options;
    return withStorageError(STORAGE_WORK.listRequests, async () => {
      const names = (await orIfMissing(readdir(requestsFolder(root)), [])).filter(isRequestFile);
      const found = await Promise.all(names.map((name) => this.#read(name)));
      return found.filter((request) => request !== null);
    });
  }

  /** Returns the request in a file, or null for a missing or unusable file. */
  async #read(name: string): Promise<AttemptUsage | null> {
    const path = join(requestsFolder(this.#options.root), name);
    try {
      const bytes = await withStorageError(STORAGE_WORK.readRequest(name), () => ifFile(path, (file) => file.bytes(0, file.size)));
      if (bytes !== null && checkSum(bytes) !== 'right') {
        throw failure('storage.damagedRequest', { name });
      }
      return bytes === null ? null : requestIn(bytes);
    } catch (thrown) {
      this.#report(name, toLoupeError(thrown));
      return null;
    }
  }

  #report(name: string, error: LoupeError): void {
    if (!this.#reported.has(name)) {
      this.#reported.add(name);
      this.#options.report(error);
    }
  }
}

/** The checksum guarantees that Loupe wrote the request, so its members are not checked. */
function requestIn(bytes: Buffer): AttemptUsage {
  const { sum: _, ...request } = JSON.parse(bytes.toString('utf8')) as AttemptUsage & { readonly sum: string };
  return request;
}
