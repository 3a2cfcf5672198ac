import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import type { ScannedFile, ScanProblem } from '../../engine/repository/symbols.js';

/* Reads source files in the thread of a scan. Synchronous, because the thread has nothing else to do. */

/** Handwritten code is smaller. A file of this size takes some seconds to parse. */
const MOST_BYTES = 2 * 1024 * 1024;

/** People do not write longer lines. A file is generated or minified if half of its bytes are in such lines. */
const LONG_LINE = 1_000;
/** A small file may consist of one long line. */
const SMALL_FILE = 4 * 1024;

/** The begin of a file in which a NUL byte shows that the file is no text. */
const PROBED_BYTES = 8 * 1024;

export interface SourceFile {
  readonly size: number;
  readonly mtimeMs: number;
  readonly hash: string;
  readonly text: string;
}

/** A file that needs no parser: unchanged, or with a problem. */
export type UnparsedFile = Pick<ScannedFile, 'size' | 'mtimeMs' | 'hash' | 'problem'> & { readonly isKnown: boolean };

/** The flag to open a pipe without waiting for its other end. Windows has no such flag and needs none. */
const DO_NOT_WAIT = (constants as Readonly<Record<string, number | undefined>>)['O_NONBLOCK'] ?? 0;

type Known = Pick<ScannedFile, 'size' | 'mtimeMs' | 'hash' | 'problem'> | null;

interface FileStat {
  readonly size: number;
  readonly mtimeMs: number;
}

export class SourceReader {
  readonly #root: string;
  readonly #onStat: (stat: FileStat) => void;

  /** `onStat` gets the size and time of each file before its content is read. */
  constructor(root: string, onStat: (stat: FileStat) => void) {
    this.#root = realpathSync.native(root);
    this.#onStat = onStat;
  }

  /** Reads a file. Only its size and time if it is unchanged, too large, or of no known language (`isSource` false). */
  read(path: string, known: Known, isSource: boolean): SourceFile | UnparsedFile {
    const found = systemErrorAsNull(() => this.#readFile(path, known, isSource));
    return found ?? { size: 0, mtimeMs: 0, hash: null, problem: 'unreadable', isKnown: false };
  }

  #readFile(path: string, known: Known, isSource: boolean): SourceFile | UnparsedFile | null {
    const real = this.#inside(path);
    if (real === null) {
      return null;
    }
    const descriptor = openSync(real, constants.O_RDONLY | DO_NOT_WAIT);
    try {
      // The time before the content: if the file changes meanwhile, the next scan sees a new time.
      const stats = fstatSync(descriptor);
      return stats.isFile() ? this.#readOpen(descriptor, stats, known, isSource) : null;
    } finally {
      closeSync(descriptor);
    }
  }

  #readOpen(descriptor: number, { size, mtimeMs }: FileStat, known: Known, isSource: boolean): SourceFile | UnparsedFile {
    this.#onStat({ size, mtimeMs });
    if (known?.size === size && known.mtimeMs === mtimeMs) {
      return { size, mtimeMs, hash: known.hash, problem: known.problem, isKnown: true };
    }
    const unparsed = { size, mtimeMs, hash: null, isKnown: false };
    if (!isSource || size > MOST_BYTES) {
      return { ...unparsed, problem: isSource ? 'tooLarge' : null };
    }
    const bytes = readFileSync(descriptor);
    const hash = createHash('sha256').update(bytes).digest('hex');
    if (known?.hash === hash) {
      return { size, mtimeMs, hash, problem: known.problem, isKnown: true };
    }
    const problem = problemOf(bytes);
    return problem === null ? { size, mtimeMs, hash, text: bytes.toString('utf8') } : { ...unparsed, hash, problem };
  }

  /** Returns the path of a file without links, or null when it is outside of the root. */
  #inside(path: string): string | null {
    const real = realpathSync.native(join(this.#root, path));
    const inside = relative(this.#root, real);
    return inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside) ? null : real;
  }
}

function systemErrorAsNull<T>(work: () => T): T | null {
  try {
    return work();
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown) {
      return null;
    }
    throw thrown;
  }
}

function problemOf(bytes: Buffer): ScanProblem | null {
  if (bytes.length > MOST_BYTES) {
    // The file has grown after its size was read.
    return 'tooLarge';
  }
  if (bytes.subarray(0, PROBED_BYTES).includes(0)) {
    return 'unreadable';
  }
  return bytes.length > SMALL_FILE && bytesInLongLines(bytes) > bytes.length / 2 ? 'generated' : null;
}

function bytesInLongLines(bytes: Buffer): number {
  let sum = 0;
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(0x0a, start);
    const end = found === -1 ? bytes.length : found;
    sum += end - start > LONG_LINE ? end - start : 0;
    start = end + 1;
  }
  return sum;
}
