import type { FileContents } from '../context/fileContents.js';
import { firstLines, fullLines } from '../context/lines.js';
import type { BlockFactory } from './blockFactory.js';
import { shownFile, type NamedFile, type ShownLines } from './shownFiles.js';

/**
 * A cut file with fewer tokens is left out instead: the marks around it would be a large part of it, and some twenty lines
 * without the rest mislead more than they help.
 */
export const LEAST_USEFUL = 256;

interface WeighedFile extends NamedFile {
  /** Tokens of the whole file as it stands in a prompt. */
  readonly tokens: number;
}

/**
 * What a request with `room` tokens for its files shows of them: the largest are cut at the end of a line, to one size, so that
 * all others stay whole. Where that size would be below `LEAST_USEFUL`, the largest is left out first, down to none. Of files
 * with equal tokens, the last by path goes first.
 */
export function shed(files: FileContents, room: number, factory: BlockFactory): ShownLines {
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

/** By UTF-16 code unit where the tokens are equal: the same order on every machine. */
function bySize(a: WeighedFile, b: WeighedFile): number {
  return a.tokens === b.tokens ? (a.path < b.path ? -1 : 1) : a.tokens - b.tokens;
}

/** The size to which the largest files have to be cut, so that all fit into `room`. Infinite when they fit as they are. */
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
 * The lines of a file that fit into `most` tokens, about as many as possible; 0 when those have fewer than `LEAST_USEFUL`. It
 * looks for them by the share of the tokens, so that a large file is counted only a few times.
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
