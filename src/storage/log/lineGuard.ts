import { failure } from '../../engine/errors.js';
import { LINE_FEED } from './segment.js';
import { segmentWriter } from '../files/layout.js';

/**
 * Maximum length of a line in an imported log, in bytes. Loupe writes lines of a few MB at most. A whole line must fit
 * into memory, so Loupe must not read a file without line feeds as one line.
 */
export const MOST_LINE_BYTES = 128 * 1_024 * 1_024;

/** Checks the length of lines in segments that are read in pieces. */
export class LineGuard {
  readonly #name: string;
  readonly #lengths = new Map<string, number>();

  constructor(name: string) {
    this.#name = name;
  }

  /** Checks the next piece of a file. Throws `invalidInput` when a line is too long. */
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
