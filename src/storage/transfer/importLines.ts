import { join } from 'node:path';
import type { ChatEvent } from '../../engine/chat/event.js';
import { failure, failIfAborted } from '../../engine/errors.js';
import { decodeContentLine } from '../log/contentLine.js';
import type { FillCopy } from './copyChat.js';
import type { CopyWatch } from '../files/copyWatch.js';
import { withOpen, writeDurably, writeFully, type Files } from '../files/files.js';
import { segmentName } from '../files/layout.js';
import { encodeLine, recordsOf } from '../log/line.js';
import { MOST_LINE_BYTES } from '../log/lineGuard.js';
import { withFile, type RegularFile } from '../files/regularFile.js';
import { LINE_FEED, markLength } from '../log/segment.js';

const CHUNK_BYTES = 1_024 * 1_024;

/** Maximum number of bytes of lines in memory, so that lines of many writers are written in a few large pieces. */
const WAITING_BYTES = 4 * 1_024 * 1_024;

/** The start of a log's first line. */
const BEGINNING = /^\{"v":\d{1,9},"seq":\d/;

export const LOG_BEGINNING_BYTES = 32;

/** Whether a file that begins with these bytes may be a log. Other files are not read further. */
export function beginsLikeLog(bytes: Buffer): boolean {
  return BEGINNING.test(bytes.toString('latin1', markLength(bytes)));
}

/**
 * Writes the chat in a file of exported lines: one segment per writer, and the blobs. Returns the number of cut or
 * damaged lines. Throws `invalidInput` for lines that are too long or newer, system errors, and `cancelled`.
 */
export function fillFromLines(path: string, name: string, watch: CopyWatch): FillCopy<number> {
  return (to, files) =>
    withFile(path, async (file) => {
      const writer = new CopyWriter(to, files);
      for await (const line of linesOf(file, name, watch)) {
        await writer.take(line);
      }
      await writer.flush();
      return writer.lost;
    });
}

async function* linesOf(file: RegularFile, name: string, watch: CopyWatch): AsyncGenerator<Buffer, void, void> {
  let position = markLength(await file.bytes(0, LOG_BEGINNING_BYTES));
  let pieces: Buffer[] = [];
  let length = 0;
  while (position < file.size) {
    failIfAborted(watch.signal, 'import.cancelled');
    const chunk = await file.bytes(position, CHUNK_BYTES);
    if (chunk.length === 0) {
      throw failure('storage.becameShorter', { name });
    }
    position += chunk.length;
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      yield Buffer.concat([...pieces, chunk.subarray(start, end)]);
      [pieces, length, start] = [[], 0, end + 1];
    }
    pieces.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > MOST_LINE_BYTES) {
      throw failure('import.foreign', { name });
    }
    watch.progress(position, file.size);
  }
  if (length > 0) {
    yield Buffer.concat(pieces);
  }
}

class CopyWriter {
  readonly #to: string;
  readonly #files: Files;
  readonly #segments = new Map<string, { written: number; waiting: Buffer[]; seq: number }>();
  #waiting = 0;
  #hasBlobs = false;
  lost = 0;

  constructor(to: string, files: Files) {
    this.#to = to;
    this.#files = files;
  }

  async take(line: Buffer): Promise<void> {
    const content = decodeContentLine(line);
    if (content !== null) {
      await (content.isWhole ? this.#writeBlob(content.name, content.bytes) : undefined);
      return;
    }
    for (const { decoded, isDamaged } of recordsOf(line, null)) {
      if (decoded.ok) {
        await this.#add(decoded.event);
      } else if (decoded.fault === 'newer' || decoded.fault === 'unknownType') {
        throw failure('import.newer');
      }
      this.lost += isDamaged || !decoded.ok ? 1 : 0;
    }
  }

  async flush(): Promise<void> {
    for (const [name, segment] of this.#segments) {
      const lines = Buffer.concat(segment.waiting.splice(0));
      await withOpen(this.#files, join(this.#to, name), async (file) => {
        await writeFully(file, lines, segment.written);
        await file.datasync();
      });
      segment.written += lines.length;
    }
    this.#waiting = 0;
  }

  /** Sequence numbers grow within a segment. A line with a smaller number is repeated or misplaced, and is lost. */
  async #add(event: ChatEvent): Promise<void> {
    const name = segmentName(event.writer);
    const segment = this.#segments.get(name) ?? { written: 0, waiting: [], seq: 0 };
    this.#segments.set(name, segment);
    if (event.seq <= segment.seq) {
      this.lost += 1;
      return;
    }
    const line = encodeLine(event);
    segment.seq = event.seq;
    segment.waiting.push(line);
    this.#waiting += line.length;
    if (this.#waiting > WAITING_BYTES) {
      await this.flush();
    }
  }

  async #writeBlob(name: string, bytes: Uint8Array): Promise<void> {
    const folder = join(this.#to, 'blobs');
    if (!this.#hasBlobs) {
      await this.#files.makeFolder(folder);
      this.#hasBlobs = true;
    }
    await writeDurably(this.#files, join(folder, name), bytes);
  }
}
