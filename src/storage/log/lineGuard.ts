import { failure } from '../../engine/errors.js';
import { LINE_FEED } from './segment.js';
import { segmentWriter } from '../files/layout.js';

/**
 * Longest line of a log that is imported, in bytes. Loupe writes lines of some MB at most. A line is in memory as a
 * whole, so a file without line feeds must not become one.
 */
export const MOST_LINE_BYTES = 128 * 1_024 * 1_024;

/** Measures the lines of segments that arrive piece by piece. */
export class LineGuard {
  /** Of the exported file. */
  readonly #name: string;
  readonly #lengths = new Map<string, number>();

  constructor(name: string) {
    this.#name = name;
  }

  /** Throws `invalidInput` when a line is too long. */
  see(file: string, piece: Uint8Array): void {
    if (segmentWriter(file) === null) {
      return;
    }
    const last = piece.lastIndexOf(LINE_FEED);
    const length = last === -1 ? (this.#lengths.get(file) ?? 0) + piece.length : piece.length - last - 1;
    this.#lengths.set(file, length);
    if (length > MOST_LINE_BYTES) {
      throw failure('import.foreign', { name: this.#name });
    }
  }
}
