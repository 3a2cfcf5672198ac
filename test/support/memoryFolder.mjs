// The folder in memory for temporary files of tests that write much and do not test the disk.

import { existsSync, statfsSync } from 'node:fs';

const FOLDER = '/dev/shm';

/** Parallel pieces of a suite have some files of at most 100 MB. Containers often give this folder only 64 MB. */
const LEAST_FREE = 1024 * 1024 * 1024;

/**
 * Without waiting for a disk these tests take a third of the time. Only Linux has this folder. Without it, or with too
 * little space, the tests use the disk, with the same results.
 *
 * @returns {Record<string, string>} environment for the tests' process
 */
export function temporaryInMemory() {
  if (!existsSync(FOLDER)) return {};
  const { bavail, bsize } = statfsSync(FOLDER);
  return bavail * bsize < LEAST_FREE ? {} : { TMPDIR: FOLDER };
}
