import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AttemptUsage } from '../engine/accounting/attemptUsage.js';
import { failure } from '../engine/errors.js';
import { STORAGE_WORK } from '../engine/failures/storage.js';
import { checkSum, sumOf } from './checksum.js';
import { orIfMissing, withStorageError } from './failure.js';
import { writeInOneStep, type Files } from './files.js';
import { isRequestFile, requestPath, requestsFolder } from './layout.js';
import { ifFile } from './regularFile.js';

export interface OutsideRequestsOptions {
  readonly root: string;
  readonly files: Files;
  /** For the log: a file that cannot be used. */
  readonly report: (error: Error) => void;
}

/** The requests that belong to no chat, such as test messages. They are rare, so each has a file of its own: windows never share one. */
export class OutsideRequests {
  readonly #options: OutsideRequestsOptions;
  /** Files that were reported. */
  readonly #reported = new Set<string>();

  constructor(options: OutsideRequestsOptions) {
    this.#options = options;
  }

  /** On the disk when this returns. */
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

  /** All of them. A damaged file is reported and left out. */
  async all(): Promise<readonly AttemptUsage[]> {
    const { root } = this.#options;
    return withStorageError(STORAGE_WORK.listRequests, async () => {
      const names = (await orIfMissing(readdir(requestsFolder(root)), [])).filter(isRequestFile);
      const found = await Promise.all(names.map((name) => this.#read(name)));
      return found.filter((request) => request !== null);
    });
  }

  async #read(name: string): Promise<AttemptUsage | null> {
    const bytes = await ifFile(join(requestsFolder(this.#options.root), name), (file) => file.bytes(0, file.size));
    if (bytes !== null && checkSum(bytes) === 'right') {
      // The checksum vouches for the shape.
      const { sum: _, ...request } = JSON.parse(bytes.toString('utf8')) as AttemptUsage & { readonly sum: string };
      return request;
    }
    if (bytes !== null && !this.#reported.has(name)) {
      this.#reported.add(name);
      this.#options.report(failure('storage.damagedRequest', { name }));
    }
    return null;
  }
}
