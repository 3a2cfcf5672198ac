import { readdir } from 'node:fs/promises';
import type { Reader } from './chatReader.js';
import { aliveWriter } from './layout.js';
import { segmentSizes, type SegmentSize } from './segmentSizes.js';

/**
 * What a chat's folder looks like from outside: its segments with sizes and times of change, and who is running. While someone is,
 * these are left out: they change several times a second, and the end of the run shows anyway. Throws Node's
 * system errors, and `storage` when it cannot be told who lives.
 */
export async function folderFingerprint(folder: string, reader: Reader): Promise<string> {
  const running = await runningIn(folder, reader);
  const segments = await segmentSizes(folder);
  return running.length > 0 ? [...segments.map(({ name }) => name), ...running].join(' ') : sizes(segments);
}

/** The fingerprint of a chat that rests; null while someone is running. Throws as `folderFingerprint` does. */
export async function restingFingerprint(folder: string, reader: Reader): Promise<string | null> {
  return (await runningIn(folder, reader)).length > 0 ? null : sizes(await segmentSizes(folder));
}

/** Ids of the writers that live. */
async function runningIn(folder: string, reader: Reader): Promise<readonly string[]> {
  const writers = (await readdir(folder))
    .sort()
    .map(aliveWriter)
    .filter((writer) => writer !== null);
  const states = await Promise.all(writers.map((writer) => reader.signs.writerState(folder, writer)));
  return writers.filter((_, index) => states[index] === 'alive');
}

/** Sizes, and times of change: a file that another program has rewritten may be as long as before. */
function sizes(segments: readonly SegmentSize[]): string {
  return segments.map(({ name, size, mtimeMs }) => `${name}:${String(size)}:${String(mtimeMs)}`).join(' ');
}
