import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { aliveWriter, segmentWriter } from '../files/layout.js';
import type { LogReader } from './chatReader.js';

/** A segment with the size and time of its file. */
export interface SegmentSize {
  readonly name: string;
  readonly path: string;
  readonly writer: string;
  /** Size of the file in bytes. */
  readonly size: number;
  /** Modification time in epoch milliseconds. */
  readonly mtimeMs: number;
  /** Whether the segment is a regular file. A pipe also has size 0. */
  readonly isFile: boolean;
}

/** Returns the segments of a chat, sorted by name. Throws Node's system errors. */
export async function segmentSizes(folder: string): Promise<readonly SegmentSize[]> {
  const segments = (await readdir(folder)).sort().flatMap((name) => {
    const writer = segmentWriter(name);
    return writer === null ? [] : [{ name, path: join(folder, name), writer }];
  });
  return Promise.all(
    segments.map(async (segment) => {
      const stats = await stat(segment.path);
      return { ...segment, size: stats.size, mtimeMs: stats.mtimeMs, isFile: stats.isFile() };
    }),
  );
}

/**
 * Returns a text that differs after a change of the log. Outside of runs, it has sizes and times of the segments. In a
 * run, it has only the names of segments and the writers of open runs, because sizes change several times a second.
 * Throws Node's system errors, and `storage` when an `.alive` file cannot be read.
 */
export async function folderFingerprint(folder: string, reader: LogReader): Promise<string> {
  const running = await runningIn(folder, reader);
  const segments = await segmentSizes(folder);
  return running.length > 0 ? [...segments.map(({ name }) => name), ...running].join(' ') : sizes(segments);
}

/** Returns the fingerprint of a chat without an open run, or null during a run. Throws like `folderFingerprint`. */
export async function restingFingerprint(folder: string, reader: LogReader): Promise<string | null> {
  return (await runningIn(folder, reader)).length > 0 ? null : sizes(await segmentSizes(folder));
}

async function runningIn(folder: string, reader: LogReader): Promise<readonly string[]> {
  const writers = (await readdir(folder))
    .sort()
    .map(aliveWriter)
    .filter((writer) => writer !== null);
  const states = await Promise.all(writers.map((writer) => reader.signs.writerState(folder, writer)));
  return writers.filter((_, index) => states[index] === 'alive');
}

/** Includes the modification times, because a rewritten file may have the same size. */
function sizes(segments: readonly SegmentSize[]): string {
  return segments.map(({ name, size, mtimeMs }) => `${name}:${String(size)}:${String(mtimeMs)}`).join(' ');
}
