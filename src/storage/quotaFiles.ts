import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { STORAGE_WORK } from '../engine/failures/storage.js';
import type { ModelRef } from '../engine/model/modelRef.js';
import type { LimitReading } from '../engine/model/rateLimit.js';
import { withReadings } from '../engine/spend/quota.js';
import { orIfMissing, withStorageError } from './files/failure.js';
import { JobQueue } from './files/jobQueue.js';
import { readRecord, writeRecord } from './files/record.js';
import { withWindowLock } from './windows/windowLock.js';

/** The kept readings of a model's rate limits. */
export interface ModelLimits {
  readonly model: ModelRef;
  readonly readings: readonly LimitReading[];
}

const ENDING = '.json';

/**
 * The latest rate limits that each provider reported, one file for each provider, shared by all windows. A lost or
 * damaged file needs no repair: the next reply reports the limits again.
 */
export class QuotaFiles {
  readonly #folder: string;
  readonly #writing = new JobQueue();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Adds the limits that a response of this model reported before `now`. Throws `storage` when the disk fails. */
  add({ model, readings }: ModelLimits, now: number): Promise<void> {
    const name = encodeURIComponent(model.provider);
    const path = join(this.#folder, name + ENDING);
    const write = async (): Promise<void> => {
      const all = await modelsIn(path);
      const kept = all.find((each) => each.model.model === model.model)?.readings ?? [];
      const others = all.filter((each) => each.model.model !== model.model);
      await writeRecord(path, [...others, { model, readings: withReadings(kept, readings, now) }]);
    };
    // Without the lock, two windows that read the file at once would each drop what the other adds.
    return this.#writing.next(() => withStorageError(STORAGE_WORK.saveLimits, () => withWindowLock(this.#folder, name, write)));
  }

  /** Returns the kept limits of all providers. Throws `storage` when the disk fails. */
  all(): Promise<readonly ModelLimits[]> {
    return withStorageError(STORAGE_WORK.readLimits, async () => {
      const names = (await orIfMissing(readdir(this.#folder), [])).filter((name) => name.endsWith(ENDING));
      return (await Promise.all(names.map((name) => modelsIn(join(this.#folder, name))))).flat();
    });
  }
}

/** The checksum of the record guarantees that Loupe wrote the limits, so their members are not checked. */
async function modelsIn(path: string): Promise<readonly ModelLimits[]> {
  return ((await readRecord(path)) ?? []) as readonly ModelLimits[];
}
