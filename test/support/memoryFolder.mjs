// The folder in memory for the temporary files of tests that write much and are not about the disk.

import { existsSync, statfsSync } from 'node:fs';

const FOLDER = '/dev/shm';

/** The pieces of a suite run side by side, each with some files of at most 100 MB. Containers often give this folder only 64 MB. */
const LEAST_FREE = 1024 * 1024 * 1024;

/**
 * Where nothing of a disk is waited for, these tests take a third of the time. Only Linux has such a folder: without one, or with too little
 * room in it, they use the disk, with the same results.
 *
 * @returns {Record<string, string>} environment for the tests' process
 */
export function temporaryInMemory() {
  if (!existsSync(FOLDER)) return {};
  const { bavail, bsize } = statfsSync(FOLDER);
  return bavail * bsize < LEAST_FREE ? {} : { TMPDIR: FOLDER };
}
