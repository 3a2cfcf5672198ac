import type { FileHandle } from 'node:fs/promises';
import { LoupeError } from '../engine/errors.js';
import type { BytePattern } from './searchBytes.js';

/** A line that may match: where it is in its segment, without its line feed, and what its first bytes say. */
export interface Candidate {
  readonly start: number;
  readonly end: number;
  /** Epoch milliseconds; infinite when only parsing can tell. */
  readonly at: number;
}

export interface Scanned {
  /** In the order of the file. */
  readonly candidates: readonly Candidate[];
  /** Attempts begun and not ended, of this segment alone: another writer may have ended them, or the other way round. */
  readonly openAttempts: number;
  /** An attempt was interrupted or failed here, so that its text may be in no message. */
  readonly hasBrokenAttempts: boolean;
}

/** Large enough that reading costs little beside searching, small enough that what was read is still in the cache. */
const CHUNK_BYTES = 256 * 1024;

const LINE_FEED = 0x0a;

/** The members every line begins with. */
const HEADER = /^(?:\xef\xbb\xbf)?\{"v":\d+,"seq":\d+,"id":"[^"\\]*","at":(\d+(?:\.\d+)?),"type":"([^"\\]*)"/;
/** More bytes than any header has. */
const HEADER_BYTES = 256;

/** The types of events whose text is searched line by line. */
const SEARCHED_TYPES: ReadonlySet<string> = new Set(['message', 'title']);

/** The ends of attempts whose whole text became a message. */
const ANSWERED = /"outcome":"(?:complete|stopped)"/;

/** Finds the lines of a segment that may match: all of them for a pattern that is null. */
export async function scanSegment(file: FileHandle, pattern: BytePattern | null, signal: AbortSignal): Promise<Scanned> {
  const candidates: Candidate[] = [];
  let openAttempts = 0;
  let hasBrokenAttempts = false;
  for await (const { bytes, offset } of wholeLines(file, signal)) {
    for (const { start, end } of matchingLines(bytes, pattern)) {
      const header = HEADER.exec(bytes.toString('latin1', start, Math.min(end, start + HEADER_BYTES)));
      if (header === null || SEARCHED_TYPES.has(header[2] ?? '')) {
        candidates.push({ start: offset + start, end: offset + end, at: header === null ? Infinity : Number(header[1]) });
      }
    }
    for (const bound of attemptBounds(bytes)) {
      openAttempts += bound === 'start' ? 1 : -1;
      hasBrokenAttempts ||= bound === 'brokenEnd';
    }
  }
  return { candidates, openAttempts, hasBrokenAttempts };
}

type AttemptBound = 'start' | 'end' | 'brokenEnd';

const QUOTE = 0x22;
const COLON = 0x3a;
const LETTER_Y = 0x79;
const HYPHEN = 0x2d;
/** `{"v":1,"seq":1,"id":"","at":0,"t`: bytes before the first `y` of a header, at the least. */
const BEFORE_Y = 33;
const Y_TO_COLON = 4;
/** `ype":"attempt`: bytes from that `y` to the hyphen in the type of an attempt's event. */
const Y_TO_HYPHEN = 13;

/**
 * The lines that begin or end an attempt. Every line is looked at here: up to its first `y`, which is mostly the one
 * of `"type"`, and no further when the type is another one.
 */
function* attemptBounds(bytes: Buffer): Generator<AttemptBound, void, void> {
  let usual = BEFORE_Y;
  for (let start = 0; start < bytes.length; ) {
    // Headers of lines that follow each other are mostly equally long.
    let at = start + usual;
    if (!isInType(bytes, at)) {
      at = firstY(bytes, start);
      usual = at - start;
    }
    if (bytes[at + Y_TO_HYPHEN] === HYPHEN || !isInType(bytes, at)) {
      const bound = attemptBound(bytes.toString('latin1', start, start + 2 * HEADER_BYTES));
      if (bound !== null) {
        yield bound;
      }
    }
    const lineFeed = bytes.indexOf(LINE_FEED, start);
    start = lineFeed === -1 ? bytes.length : lineFeed + 1;
  }
}

function firstY(bytes: Buffer, start: number): number {
  let at = start + BEFORE_Y;
  while (at < start + HEADER_BYTES && bytes[at] !== LETTER_Y) {
    at += 1;
  }
  return at;
}

/** Whether the `y` of a member `"type"` is there. */
function isInType(bytes: Buffer, at: number): boolean {
  return bytes[at] === LETTER_Y && bytes[at - 2] === QUOTE && bytes[at + Y_TO_COLON - 1] === QUOTE && bytes[at + Y_TO_COLON] === COLON;
}

/** What a line, given by its first bytes, does to an attempt. */
function attemptBound(line: string): AttemptBound | null {
  switch (HEADER.exec(line)?.[2]) {
    case 'attempt-started':
      return 'start';
    case 'attempt-ended':
      return ANSWERED.test(line) ? 'end' : 'brokenEnd';
    default:
      return null;
  }
}

export interface LineChunk {
  /** Whole lines with their line feeds, if the last one of a file has one. Valid until the next chunk is asked for. */
  readonly bytes: Buffer;
  /** Where they begin in the file. */
  readonly offset: number;
}

/**
 * A file by chunks of whole lines, as far as it reaches now, the next one being read while one is looked at. Throws
 * `cancelled` when the signal aborts, and what reading throws.
 */
export async function* wholeLines(file: FileHandle, signal: AbortSignal): AsyncGenerator<LineChunk, void, void> {
  const { size } = await file.stat();
  let reading = readAt(file, Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size)), 0);
  let spare: Buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size));
  try {
    for (let offset = 0; offset < size; ) {
      const { buffer, bytesRead } = await reading;
      checkNotCancelled(signal);
      const read = buffer.subarray(0, bytesRead);
      const whole = read.lastIndexOf(LINE_FEED) + 1;
      if (whole === 0 && bytesRead === buffer.length && offset + bytesRead < size) {
        // The line is longer than the chunk: the same again, with more room.
        spare = Buffer.allocUnsafe(buffer.length * 2);
        reading = readAt(file, Buffer.allocUnsafe(buffer.length * 2), offset);
        continue;
      }
      const bytes = whole === 0 ? read : read.subarray(0, whole);
      if (bytes.length === 0) {
        // The file has become shorter meanwhile.
        return;
      }
      const chunk = { bytes, offset };
      offset += bytes.length;
      reading = readAt(file, spare, offset);
      spare = buffer;
      yield chunk;
    }
  } finally {
    // The last chunk asked for may be one that nobody looks at: its failure is nobody's.
    await reading.catch(() => undefined);
  }
}

async function readAt(file: FileHandle, buffer: Buffer, offset: number): Promise<{ readonly buffer: Buffer; readonly bytesRead: number }> {
  const { bytesRead } = await file.read(buffer, 0, buffer.length, offset);
  return { buffer, bytesRead };
}

export function checkNotCancelled(signal: AbortSignal): void {
  if (signal.aborted) {
    throw new LoupeError('cancelled', 'The search was cancelled.');
  }
}

interface LineRange {
  readonly start: number;
  /** Without the line feed. */
  readonly end: number;
}

/** The lines in which the pattern is found outside the names of members; all lines for none. */
export function* matchingLines(bytes: Buffer, pattern: BytePattern | null): Generator<LineRange, void, void> {
  const search = pattern?.searchIn(bytes) ?? ((from) => from);
  const length = pattern?.length ?? 0;
  for (let from = 0; from < bytes.length; ) {
    const at = search(from);
    if (at === -1) {
      return;
    }
    if (length > 0 && bytes[at + length] === QUOTE && bytes[at + length + 1] === COLON) {
      // The name of a member ends here: in a text a backslash would come before the quote.
      from = at + 1;
      continue;
    }
    const lineFeed = bytes.indexOf(LINE_FEED, at);
    const end = lineFeed === -1 ? bytes.length : lineFeed;
    yield { start: at === 0 ? 0 : bytes.lastIndexOf(LINE_FEED, at - 1) + 1, end };
    from = end + 1;
  }
}
