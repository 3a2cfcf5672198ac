import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Reader } from './chatReader.js';
import { aliveWriter, segmentWriter } from './layout.js';
import { writerState } from './liveness.js';

/**
 * What a chat's folder looks like from outside: its segments with their sizes, and who is running. While someone is,
 * the sizes are left out: they grow several times a second, and the end of the run shows anyway. Throws Node's
 * system errors, and `storage` when it cannot be told who lives.
 */
export async function folderFingerprint(folder: string, reader: Reader): Promise<string> {
  const names = (await readdir(folder)).sort();
  const segments = names.filter((name) => segmentWriter(name) !== null);
  const writers = names.map(aliveWriter).filter((writer) => writer !== null);
  const states = await Promise.all(writers.map((writer) => writerState(folder, writer, reader.self, reader.clock)));
  const running = writers.filter((_, index) => states[index] === 'alive');
  if (running.length > 0) {
    return [...segments, ...running].join(' ');
  }
  const sizes = await Promise.all(segments.map(async (name) => (await stat(join(folder, name))).size));
  return segments.map((name, index) => `${name}:${String(sizes[index])}`).join(' ');
}
