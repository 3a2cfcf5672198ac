import type { RegularFile } from './regularFile.js';
import { markLength } from './segment.js';

/** Candidates are read from the newest on, so mostly backwards: each read includes the bytes before the line. */
const WINDOW_BYTES = 256 * 1024;

/** Reads single lines of a segment, mostly backwards. */
export class LineReader {
  readonly #file: RegularFile;
  #window: Buffer = Buffer.alloc(0);
  #offset = 0;

  constructor(file: RegularFile) {
    this.#file = file;
  }

  /** The bytes from offset `start` to `end` of the file, without a byte order mark at its beginning. */
  async read(start: number, end: number): Promise<Buffer> {
    if (start < this.#offset || end > this.#offset + this.#window.length) {
      await this.#load(Math.max(0, Math.min(start, end - WINDOW_BYTES)), end);
    }
    const line = this.#window.subarray(start - this.#offset, end - this.#offset);
    return start === 0 ? line.subarray(markLength(line)) : line;
  }

  async #load(from: number, to: number): Promise<void> {
    this.#window = await this.#file.bytes(from, to - from);
    this.#offset = from;
  }
}
