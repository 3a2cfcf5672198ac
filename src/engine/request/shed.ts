import type { FileContents } from '../context/fileContents.js';
import { firstLines, fullLines } from '../context/lines.js';
import type { BlockFactory } from './blockFactory.js';
import { shownFile, type NamedFile, type ShownLines } from './shownFiles.js';

/** Least tokens of a cut file. Smaller ones are dropped: some twenty lines mislead more than they help. */
export const LEAST_USEFUL = 256;

interface WeighedFile extends NamedFile {
  /** Tokens of the whole file in its prompt form. */
  readonly tokens: number;
}

/**
 * Decides how much of each file fits into `room` tokens. Cuts the largest files to one common size, at line ends, so
 * that all others stay whole. While that size is below `LEAST_USEFUL`, drops the largest file, down to none. Of files
 * with equal tokens, drops the last by path.
 */
export function dropLines(files: FileContents, room: number, factory: BlockFactory): ShownLines {
  const weighed = [...files].map(([path, content]) => weigh({ path, content }, factory)).sort(bySize);
  const shown = new Map<string, number>();
  let size = sizeOfLargest(weighed, room);
  while (size < LEAST_USEFUL) {
    const largest = weighed.pop();
    if (largest === undefined) {
      break;
    }
    shown.set(largest.path, 0);
    size = sizeOfLargest(weighed, room);
  }
  for (const file of weighed.filter(({ tokens }) => tokens > size)) {
    shown.set(file.path, linesWithin(file, size, factory));
  }
  return shown;
}

function weigh(file: NamedFile, factory: BlockFactory): WeighedFile {
  return { ...file, tokens: shownFile(file, null, factory)?.tokens ?? 0 };
}

/** Equal tokens: by UTF-16 code unit, the same order on every machine. */
function bySize(a: WeighedFile, b: WeighedFile): number {
  return a.tokens === b.tokens ? (a.path < b.path ? -1 : 1) : a.tokens - b.tokens;
}

/** Returns the size to cut the largest files to, so that all fit into `room`. Infinite when they fit whole. */
function sizeOfLargest(ascending: readonly WeighedFile[], room: number): number {
  let left = room;
  for (const [index, { tokens }] of ascending.entries()) {
    const size = Math.floor(left / (ascending.length - index));
    if (tokens > size) {
      return size;
    }
    left -= tokens;
  }
  return Infinity;
}

/**
 * Returns how many lines of a file fit into `most` tokens; 0 when these have fewer than `LEAST_USEFUL`. Estimates by
 * the share of the tokens, so that a large file is counted only a few times.
 */
function linesWithin(file: WeighedFile, most: number, factory: BlockFactory): number {
  let [characters, { tokens }] = [file.content.length, file];
  for (;;) {
    const lines = fullLines(file.content, Math.floor((characters * most) / tokens));
    const block = shownFile(file, lines, factory);
    if (block === null || block.tokens <= most) {
      return (block?.tokens ?? 0) < LEAST_USEFUL ? 0 : lines;
    }
    characters = firstLines(file.content, lines).length;
    ({ tokens } = block);
  }
}
