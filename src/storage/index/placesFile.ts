import { constants } from 'node:fs';
import { mkdir, open, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '../failure.js';
import { DO_NOT_WAIT, withFile } from '../regularFile.js';
import { LINE_FEED } from '../segment.js';
import type { Place } from './opened.js';
import { decodePlace } from './place.js';

/** Read at a time, from the end: some dozens of places as most chats have them. */
const PLACES_BYTES = 64 * 1_024;

/** A place and where its record is in the file, in bytes. */
export interface PlaceLine {
  readonly place: Place;
  readonly start: number;
  readonly end: number;
}

/** The file of the places of a chat: records in lines, the newest mostly last. */
export class PlacesFile {
  readonly #folder: string;
  readonly #path: string;
  /** Where the places are that were read, for going on from them. A hint: the file may have changed since. */
  readonly #starts = new WeakMap<Place, number>();

  /** `folder` is that of the index, which is made when something is written. */
  constructor(folder: string) {
    this.#folder = folder;
    this.#path = join(folder, 'places.jsonl');
  }

  /**
   * Adds records, in one write that begins with a line feed: windows may do so at once, and a torn line is not gone
   * on with. Throws Node's system errors.
   */
  async append(records: readonly Buffer[]): Promise<void> {
    const lineFeed = Buffer.of(LINE_FEED);
    const bytes = Buffer.concat([...records.flatMap((record) => [lineFeed, record]), lineFeed]);
    await makeFolder(this.#folder);
    const file = await open(this.#path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | DO_NOT_WAIT);
    try {
      const { bytesWritten } = await file.write(bytes);
      if (bytesWritten < bytes.length) {
        throw new Error(`The system took ${String(bytesWritten)} of ${String(bytes.length)} bytes.`);
      }
    } finally {
      await file.close();
    }
  }

  /** Removes what stands from `offset` on; all for 0. Throws Node's system errors. */
  async cut(offset: number): Promise<void> {
    if (offset === 0) {
      await rm(this.#path, { force: true });
    } else {
      await truncate(this.#path, offset);
    }
  }

  /**
   * The places from the last one back: of the whole file for null, or of what stands before one of them. What is no
   * place is passed over.
   */
  async *backwards(before: Place | null): AsyncGenerator<PlaceLine, void, void> {
    let end = (before === null ? undefined : this.#starts.get(before)) ?? Infinity;
    for (let length = PLACES_BYTES; end > 0; ) {
      const piece = await this.#readBefore(end, length);
      // The first line of a piece may have begun before it.
      const first = piece.offset === 0 ? 0 : piece.bytes.indexOf(LINE_FEED) + 1;
      if (piece.offset > 0 && (first === 0 || first === piece.bytes.length)) {
        length *= 2;
        continue;
      }
      for (const { start, line } of linesBackwards(piece.bytes, first)) {
        const place = decodePlace(line);
        if (place !== null) {
          this.#starts.set(place, piece.offset + start);
          yield { place, start: piece.offset + start, end: piece.offset + start + line.length };
        }
      }
      length = PLACES_BYTES;
      end = piece.offset + first;
      if (piece.offset === 0) {
        return;
      }
    }
  }

  async #readBefore(end: number, length: number): Promise<{ readonly bytes: Buffer; readonly offset: number }> {
    try {
      return await withFile(this.#path, async (file) => {
        const last = Math.min(end, file.size);
        const offset = Math.max(0, last - length);
        return { bytes: await file.bytes(offset, last - offset), offset };
      });
    } catch (thrown) {
      if (systemCode(thrown) === null) {
        throw thrown;
      }
      // A file that cannot be read is as good as none.
      return { bytes: Buffer.alloc(0), offset: 0 };
    }
  }
}

/** Makes the folder of an index, never that of its chat: what was removed is not to come back. */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (thrown) {
    if (systemCode(thrown) !== 'EEXIST') {
      throw thrown;
    }
  }
}

function* linesBackwards(bytes: Buffer, first: number): Generator<{ readonly start: number; readonly line: Buffer }, void, void> {
  for (let end = bytes.length; end > first; ) {
    const start = Math.max(first, bytes.lastIndexOf(LINE_FEED, end - 1) + 1);
    yield { start, line: bytes.subarray(start, end) };
    end = start - 1;
  }
}
