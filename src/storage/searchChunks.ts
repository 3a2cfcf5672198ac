import { refuseAborted } from '../engine/errors.js';
import type { RegularFile } from './regularFile.js';
import { LINE_FEED } from './segment.js';

export interface LineChunk {
  /** Whole lines with their line feeds; the last line of a file may have none. Valid until the next chunk is read. */
  readonly bytes: Buffer;
  /** Of the first byte, in the file. */
  readonly offset: number;
}

/**
 * Large enough that a read's thread change, 50 us or more, costs little beside the search. Small enough that the
 * bytes are still in the processor's cache when they are searched.
 */
const CHUNK_BYTES = 512 * 1024;

/**
 * Reads files one after another, in chunks of whole lines, and reads the next chunk while one is searched. All files
 * share two buffers, because the system takes time to hand out fresh memory.
 */
export class ChunkReader {
  readonly #buffers: readonly [Buffer, Buffer] = [Buffer.allocUnsafe(CHUNK_BYTES), Buffer.allocUnsafe(CHUNK_BYTES)];

  /** The chunks of a file, up to its size when it was opened. Throws `cancelled` when the signal aborts, and read errors. */
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
          // The line is longer than the buffer: read it again with twice the room, for this file only.
          spare = Buffer.allocUnsafe(buffer.length * 2);
          buffer = Buffer.allocUnsafe(buffer.length * 2);
          reading = readAt(file, buffer, offset);
          continue;
        }
        const bytes = whole === 0 ? read : read.subarray(0, whole);
        if (bytes.length === 0) {
          // The file has become shorter since it was opened.
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
      // The caller may have stopped before the last chunk: nobody waits for its failure.
      await reading.catch(() => undefined);
    }
  }
}

async function readAt(file: RegularFile, buffer: Buffer, offset: number): Promise<Buffer> {
  return buffer.subarray(0, await file.readInto(buffer, offset));
}
