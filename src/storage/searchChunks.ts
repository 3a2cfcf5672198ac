import { refuseAborted } from '../engine/errors.js';
import type { RegularFile } from './regularFile.js';
import { LINE_FEED } from './segment.js';

export interface LineChunk {
  /** Whole lines with their line feeds, if the last one of a file has one. Valid until the next chunk is asked for. */
  readonly bytes: Buffer;
  /** Where they begin in the file. */
  readonly offset: number;
}

/**
 * Large enough that handing a read over to another thread and back, 50 us or more, costs little beside searching;
 * small enough that what was read is still in the processor's cache when it is searched.
 */
const CHUNK_BYTES = 512 * 1024;

/**
 * Reads files, one after another, by chunks of whole lines: the next chunk while one is looked at. All files go through
 * the same two buffers, as the system takes time to hand out fresh memory.
 */
export class ChunkReader {
  readonly #buffers: readonly [Buffer, Buffer] = [Buffer.allocUnsafe(CHUNK_BYTES), Buffer.allocUnsafe(CHUNK_BYTES)];

  /** A file as far as it reached when it was opened. Throws `cancelled` when the signal aborts, and what reading throws. */
  async *chunksOf(file: RegularFile, signal: AbortSignal): AsyncGenerator<LineChunk, void, void> {
    const { size } = file;
    let [buffer, spare] = this.#buffers;
    let reading = readAt(file, buffer, 0);
    try {
      for (let offset = 0; offset < size; ) {
        const read = await reading;
        refuseAborted(signal, 'search.cancelled');
        const isLast = offset + read.length >= size;
        const whole = isLast ? read.length : read.lastIndexOf(LINE_FEED) + 1;
        if (whole === 0 && read.length === buffer.length) {
          // The line is longer than the chunk: the same again, with more room, which only this file needs.
          spare = Buffer.allocUnsafe(buffer.length * 2);
          buffer = Buffer.allocUnsafe(buffer.length * 2);
          reading = readAt(file, buffer, offset);
          continue;
        }
        const bytes = whole === 0 ? read : read.subarray(0, whole);
        if (bytes.length === 0) {
          // The file has become shorter meanwhile.
          return;
        }
        const chunk = { bytes, offset };
        offset += bytes.length;
        [buffer, spare] = [spare, buffer];
        if (offset < size) {
          reading = readAt(file, buffer, offset);
        }
        yield chunk;
      }
    } finally {
      // The last chunk asked for may be one that nobody looks at: its failure is nobody's.
      await reading.catch(() => undefined);
    }
  }
}

async function readAt(file: RegularFile, buffer: Buffer, offset: number): Promise<Buffer> {
  return buffer.subarray(0, await file.readInto(buffer, offset));
}
