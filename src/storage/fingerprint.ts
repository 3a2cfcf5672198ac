import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Reader } from './chatReader.js';
import { aliveWriter, segmentWriter } from './layout.js';

/**
 * What a chat's folder looks like from outside: its segments with sizes and times of change, and who is running. While someone is,
 * these are left out: they change several times a second, and the end of the run shows anyway. Throws Node's
 * system errors, and `storage` when it cannot be told who lives.
 */
export async function folderFingerprint(folder: string, reader: Reader): Promise<string> {
  const { segments, running } = await look(folder, reader);
  return running.length > 0 ? [...segments, ...running].join(' ') : sizes(folder, segments);
}

/** The fingerprint of a chat that rests; null while someone is running. Throws as `folderFingerprint` does. */
export async function restingFingerprint(folder: string, reader: Reader): Promise<string | null> {
  const { segments, running } = await look(folder, reader);
  return running.length > 0 ? null : sizes(folder, segments);
}

interface Look {
  /** File names. */
  readonly segments: readonly string[];
  /** Writer ids. */
  readonly running: readonly string[];
}

async function look(folder: string, reader: Reader): Promise<Look> {
  const names = (await readdir(folder)).sort();
  const writers = names.map(aliveWriter).filter((writer) => writer !== null);
  const states = await Promise.all(writers.map((writer) => reader.signs.writerState(folder, writer)));
  return {
    segments: names.filter((name) => segmentWriter(name) !== null),
    running: writers.filter((_, index) => states[index] === 'alive'),
  };
}

/** Sizes, and times of change: a file that another program has rewritten may be as long as before. */
async function sizes(folder: string, segments: readonly string[]): Promise<string> {
  const found = await Promise.all(
    segments.map(async (name) => {
      const { size, mtimeMs } = await stat(join(folder, name));
      return `${name}:${String(size)}:${String(mtimeMs)}`;
    }),
  );
  return found.join(' ');
}
