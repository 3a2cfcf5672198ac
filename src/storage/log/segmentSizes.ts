import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { segmentWriter } from '../files/layout.js';

/** A segment with its file system data. */
export interface SegmentSize {
  readonly name: string;
  readonly path: string;
  readonly writer: string;
  /** In bytes. */
  readonly size: number;
  /** Epoch milliseconds. */
  readonly mtimeMs: number;
  /** Whether it is a regular file: a pipe also has size 0. */
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
