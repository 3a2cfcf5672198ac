import { searchedTypes } from '../engine/chat/rules.js';
import type { BytePattern } from './searchBytes.js';
import type { LineChunk } from './searchChunks.js';
import { LINE_FEED } from './segment.js';

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

const QUOTE = 0x22;
const COLON = 0x3a;

/** The members every line begins with. */
const HEADER = /^(?:\xef\xbb\xbf)?\{"v":\d+,"seq":\d+,"id":"[^"\\]*","at":(\d+(?:\.\d+)?),"type":"([^"\\]*)"/;
/** More bytes than any header has. */
const HEADER_BYTES = 256;
/** In the line of an attempt's end, more bytes than stand before what follows its outcome. */
const OUTCOME_BYTES = 512;

/** The types of events whose text is searched line by line. */
const SEARCHED_TYPES = searchedTypes();

/** The ends of attempts whose whole text became a message. */
const ANSWERED = /"outcome":"(?:complete|stopped)"/;

/** Finds the lines of a segment that may match: all of them for a pattern that is null. */
export async function scanSegment(segment: AsyncIterable<LineChunk>, pattern: BytePattern | null): Promise<Scanned> {
  const candidates: Candidate[] = [];
  let openAttempts = 0;
  let hasBrokenAttempts = false;
  for await (const { bytes, offset } of segment) {
    for (const { start, end } of matchingLines(bytes, pattern)) {
      const header = headerOf(bytes, start, end);
      if (header === null || SEARCHED_TYPES.has(header.type)) {
        candidates.push({ start: offset + start, end: offset + end, at: header?.at ?? Infinity });
      }
    }
    for (const bound of attemptBounds(bytes)) {
      openAttempts += bound === 'start' ? 1 : -1;
      hasBrokenAttempts ||= bound === 'brokenEnd';
    }
  }
  return { candidates, openAttempts, hasBrokenAttempts };
}

interface Header {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly type: string;
  /** Where the type begins, from the beginning of the line. */
  readonly typeOffset: number;
}

/** What the first members of a line say; null for a line that has not the form in which they are written. */
function headerOf(bytes: Buffer, start: number, end: number): Header | null {
  const [header = '', at = '', type = ''] = HEADER.exec(bytes.toString('latin1', start, Math.min(end, start + HEADER_BYTES))) ?? [];
  return header === '' ? null : { at: Number(at), type, typeOffset: header.length - type.length - 1 };
}

type AttemptBound = 'start' | 'end' | 'brokenEnd';

const LETTER_Y = 0x79;

/** The types of the lines that begin and end an attempt, up to the quote behind them, and where the two differ first. */
const STARTED = Buffer.from('attempt-started"');
const ENDED = Buffer.from('attempt-ended"');
const DIFFERENCE = 'attempt-'.length;

/**
 * The lines that begin or end an attempt. Every line is looked at here, and most are pieces of replies. So the type is
 * looked for where the line before had it, as headers are mostly equally long, and only bounds are looked at closely.
 * Measured in logs of replies: when the headers of bounds are read as text, too, a whole search takes 1.2 times as long.
 */
function* attemptBounds(bytes: Buffer): Generator<AttemptBound, void, void> {
  let typeOffset = 0;
  for (let start = 0; start < bytes.length; ) {
    const end = lineEnd(bytes, start);
    if (!isTypeAt(bytes, start + typeOffset)) {
      typeOffset = headerOf(bytes, start, end)?.typeOffset ?? 0;
    }
    const type = start + typeOffset;
    if (holdsAt(bytes, type, STARTED)) {
      yield 'start';
    } else if (holdsAt(bytes, type, ENDED)) {
      yield ANSWERED.test(bytes.toString('latin1', start, Math.min(end, start + OUTCOME_BYTES))) ? 'end' : 'brokenEnd';
    }
    start = end + 1;
  }
}

/** Whether the value of a member `"type"` begins there: no other member of an event has a name like it. */
function isTypeAt(bytes: Buffer, at: number): boolean {
  return bytes[at - 2] === COLON && bytes[at - 3] === QUOTE && bytes[at - 6] === LETTER_Y && bytes[at - 8] === QUOTE;
}

/** Whether these bytes are one of the two types. */
function holdsAt(bytes: Buffer, at: number, type: Buffer): boolean {
  return bytes[at + DIFFERENCE] === type[DIFFERENCE] && bytes.subarray(at, at + type.length).equals(type);
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
    const end = lineEnd(bytes, at);
    yield { start: at === 0 ? 0 : bytes.lastIndexOf(LINE_FEED, at - 1) + 1, end };
    from = end + 1;
  }
}

/** Where the line that holds `at` ends: its line feed, or the end of the bytes. */
function lineEnd(bytes: Buffer, at: number): number {
  const lineFeed = bytes.indexOf(LINE_FEED, at);
  return lineFeed === -1 ? bytes.length : lineFeed;
}
