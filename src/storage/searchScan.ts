import { SEARCHED_TYPES } from '../engine/chat/rules.js';
import type { BytePattern } from './searchBytes.js';
import type { LineChunk } from './searchChunks.js';
import { LINE_FEED } from './segment.js';

/** A line that may match: its offsets in the segment, without its line feed, and the time in its header. */
export interface Candidate {
  readonly start: number;
  readonly end: number;
  /** Epoch milliseconds; `Infinity` when only parsing can tell. */
  readonly at: number;
}

export interface Scanned {
  /** In file order. */
  readonly candidates: readonly Candidate[];
  /** Attempts begun minus attempts ended in this segment. Another writer may have ended some of them, or begun them. */
  readonly openAttempts: number;
  /** Whether an attempt was interrupted or failed here, so that its text may be in no message. */
  readonly hasBrokenAttempts: boolean;
}

const QUOTE = 0x22;
const COLON = 0x3a;

/** The members at the beginning of every line. */
const HEADER = /^(?:\xef\xbb\xbf)?\{"v":\d+,"seq":\d+,"id":"[^"\\]*","at":(\d+(?:\.\d+)?),"type":"([^"\\]*)"/;
/** More bytes than any header has. */
const HEADER_BYTES = 256;
/** In the line that ends an attempt: more bytes than come before the end of its outcome. */
const OUTCOME_BYTES = 512;

/** Outcomes of attempts whose whole text became a message. */
const ANSWERED = /"outcome":"(?:complete|stopped)"/;

/** Finds the lines of a segment that may match; all lines when `pattern` is null. */
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
  /** Of the type, from the beginning of the line. */
  readonly typeOffset: number;
}

/** The header of a line; null for a line in another form. */
function headerOf(bytes: Buffer, start: number, end: number): Header | null {
  const [header = '', at = '', type = ''] = HEADER.exec(bytes.toString('latin1', start, Math.min(end, start + HEADER_BYTES))) ?? [];
  return header === '' ? null : { at: Number(at), type, typeOffset: header.length - type.length - 1 };
}

type AttemptBound = 'start' | 'end' | 'brokenEnd';

const LETTER_Y = 0x79;

/** The types of the lines that begin and end an attempt, with the closing quote, and where the two first differ. */
const STARTED = Buffer.from('attempt-started"');
const ENDED = Buffer.from('attempt-ended"');
const DIFFERENCE = 'attempt-'.length;

/**
 * The lines that begin or end an attempt. Most lines are pieces of replies, and each one is looked at here. Headers
 * are mostly equally long, so the type is looked for at the offset it had in the previous line, and other lines are
 * skipped. Measured in logs of replies: reading the headers of these lines as text, too, makes a whole search 1.2
 * times as long.
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

/** Whether the value of a member `"type"` begins at `at`: no other member of an event has such a name. */
function isTypeAt(bytes: Buffer, at: number): boolean {
  return bytes[at - 2] === COLON && bytes[at - 3] === QUOTE && bytes[at - 6] === LETTER_Y && bytes[at - 8] === QUOTE;
}

/** Whether the bytes at `at` are the given type. */
function holdsAt(bytes: Buffer, at: number, type: Buffer): boolean {
  return bytes[at + DIFFERENCE] === type[DIFFERENCE] && bytes.subarray(at, at + type.length).equals(type);
}

interface LineRange {
  readonly start: number;
  /** Without the line feed. */
  readonly end: number;
}

/** The lines in which the pattern matches outside the names of members; all lines when it is null. */
export function* matchingLines(bytes: Buffer, pattern: BytePattern | null): Generator<LineRange, void, void> {
  const search = pattern?.searchIn(bytes) ?? ((from) => from);
  const length = pattern?.length ?? 0;
  for (let from = 0; from < bytes.length; ) {
    const at = search(from);
    if (at === -1) {
      return;
    }
    if (length > 0 && bytes[at + length] === QUOTE && bytes[at + length + 1] === COLON) {
      // The match ends with the name of a member: inside a text, a backslash would come before the quote.
      from = at + 1;
      continue;
    }
    const end = lineEnd(bytes, at);
    yield { start: at === 0 ? 0 : bytes.lastIndexOf(LINE_FEED, at - 1) + 1, end };
    from = end + 1;
  }
}

/** The end of the line that holds `at`: its line feed, or the end of the bytes. */
function lineEnd(bytes: Buffer, at: number): number {
  const lineFeed = bytes.indexOf(LINE_FEED, at);
  return lineFeed === -1 ? bytes.length : lineFeed;
}
