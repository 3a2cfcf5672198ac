import { readdir } from 'node:fs/promises';
import type { Reader } from './chatReader.js';
import { aliveWriter } from '../files/layout.js';
import { segmentSizes, type SegmentSize } from './segmentSizes.js';

/**
 * A text that changes when the chat does: the sizes and times of change of its segments, and the writers of open
 * runs. While a run is open, sizes and times are left out: they change several times a second, and the end of the run
 * changes the fingerprint anyway. Throws Node's system errors, and `storage` when a sign of life cannot be read.
 */
export async function folderFingerprint(folder: string, reader: Reader): Promise<string> {
  const running = await runningIn(folder, reader);
  const segments = await segmentSizes(folder);
  return running.length > 0 ? [...segments.map(({ name }) => name), ...running].join(' ') : sizes(segments);
}

/** The fingerprint of a chat without an open run; null during a run. Throws the errors of `folderFingerprint`. */
export async function restingFingerprint(folder: string, reader: Reader): Promise<string | null> {
  return (await runningIn(folder, reader)).length > 0 ? null : sizes(await segmentSizes(folder));
}

/** Ids of the living writers with an open run. */
async function runningIn(folder: string, reader: Reader): Promise<readonly string[]> {
  const writers = (await readdir(folder))
    .sort()
    .map(aliveWriter)
    .filter((writer) => writer !== null);
  const states = await Promise.all(writers.map((writer) => reader.signs.writerState(folder, writer)));
  return writers.filter((_, index) => states[index] === 'alive');
}

/** Sizes, and times of change: a rewritten file may be as long as before. */
function sizes(segments: readonly SegmentSize[]): string {
  return segments.map(({ name, size, mtimeMs }) => `${name}:${String(size)}:${String(mtimeMs)}`).join(' ');
}
