import { isEventType } from '../../engine/chat/rules.js';
import { LOG_VERSION, OLDEST_LOG_VERSION } from '../../engine/chat/order/stamp.js';
import type { ChatEvent } from '../../engine/chat/event.js';
import { isObject, parseJson, type JsonObject } from '../../engine/json.js';
import { checkSum, recordLength, sumOf, SUM_LENGTH } from '../files/checksum.js';
import { isWriterId } from '../files/layout.js';

/*
 * One line of a segment is one event:
 *
 *   {"v":2,"seq":7,"id":"...","at":1700000000000,"type":"title",...members,"sum":"0a1b2c3d"}
 *
 * UTF-8, ended by one line feed. `sum` is always the last key: the CRC-32 of the bytes from `{` to before `,"sum":"`,
 * as 8 lower-case hexadecimal digits. The checksum covers bytes, so damage is found before the line is parsed. Every
 * version has `v` and this frame, so a newer line never looks like a damaged line. The writer is not in the line, but
 * in the name of the segment.
 *
 * `JSON.stringify` escapes line feeds and lone surrogates. So a line has only one line feed, and UTF-8 loses no text.
 */

/**
 * Why a line has no usable event:
 * - `torn`: without a checksum at its end, such as after a crash during the append.
 * - `corrupt`: the bytes do not match the checksum.
 * - `older`: undamaged, but in a format that was never released.
 * - `newer`, `unknownType`: undamaged, but written by a newer version of Loupe.
 */
export type LineFault = 'torn' | 'corrupt' | 'older' | 'newer' | 'unknownType';

export type DecodedLine =
  | { readonly ok: true; readonly event: ChatEvent }
  | { readonly ok: false; readonly fault: LineFault; readonly reason: string };

/** Returns the line of an event, with line feed. */
export function encodeLine(event: ChatEvent): Buffer {
  const { v, seq, id, at, type, writer: _writer, ...members } = event;
  const body = JSON.stringify({ v, seq, id, at, type, ...members }).slice(0, -1);
  return Buffer.from(`${body}${sumOf(Buffer.from(body))}\n`);
}

/** Returns the line of an event, with line feed. Adds the writer's id, for a file with lines of several writers. */
export function encodeNamedLine({ v, seq, id, at, writer, type, ...members }: ChatEvent): Buffer {
  const body = JSON.stringify({ v, seq, id, at, writer, type, ...members }).slice(0, -1);
  return Buffer.from(`${body}${sumOf(Buffer.from(body))}\n`);
}

/** The bytes at the start of each record. A text in a record does not contain them: JSON escapes quotation marks. */
export const RECORD_START = '{"v":';

/** Maximum number of starts without a whole record that `recordsOf` tries in a line, so that its time stays linear. */
const MOST_STARTS = 100;

/** A part of a line: a record with the bytes before it, or bytes without a record. */
export interface LinePart {
  readonly decoded: DecodedLine;
  /** Whether bytes before the record belong to no whole record. */
  readonly isDamaged: boolean;
  /** The offset in the line after the part. */
  readonly end: number;
}

/**
 * Returns the records in a line without its line feed: usually one. A damaged line can contain whole records, too, such
 * as after a cut record, after zeros of an unfinished write, or before a lost line feed.
 */
export function* recordsOf(line: Buffer, writer: string | null): Generator<LinePart, void, void> {
  const whole = decodeLine(line, writer);
  let end = 0;
  if (isDamage(whole)) {
    let tried = 0;
    for (let start = line.indexOf(RECORD_START); start !== -1 && tried < MOST_STARTS; ) {
      const next = start + recordLength(line.subarray(start));
      const decoded = decodeLine(line.subarray(start, next), writer);
      if (isDamage(decoded)) {
        tried += 1;
        start = line.indexOf(RECORD_START, start + 1);
      } else {
        yield { decoded, isDamaged: start > end, end: next };
        end = next;
        start = line.indexOf(RECORD_START, end);
      }
    }
  }
  if (end === 0 || end < line.length) {
    yield { decoded: whole, isDamaged: isDamage(whole), end: line.length };
  }
}

function isDamage(decoded: DecodedLine): boolean {
  return !decoded.ok && (decoded.fault === 'torn' || decoded.fault === 'corrupt');
}

/** Decodes a line without its line feed. `writer`: the segment's writer, or null if the line contains its writer. */
export function decodeLine(line: Uint8Array, writer: string | null): DecodedLine {
  const bytes = Buffer.from(line.buffer, line.byteOffset, line.byteLength);
  switch (checkSum(bytes)) {
    case 'missing':
      return fault('torn', 'it was cut off, or its end is damaged');
    case 'damaged':
      return fault('corrupt', 'its content has changed since Loupe wrote it');
    case 'right':
      return decodeMembers(`${bytes.toString('utf8', 0, bytes.length - SUM_LENGTH)}}`, writer);
  }
}

function decodeMembers(text: string, segmentWriter: string | null): DecodedLine {
  const members = parseJson(text);
  if (!isObject(members)) {
    return fault('corrupt', 'it is not a JSON object');
  }
  const { v, type } = members;
  if (!isCount(v) || typeof type !== 'string') {
    return fault('corrupt', 'its version or its type is missing');
  }
  if (v < OLDEST_LOG_VERSION) {
    return fault('older', `it was written by an unreleased version of Loupe (format ${String(v)})`);
  }
  if (v > LOG_VERSION) {
    return fault('newer', `it was written by a newer version of Loupe (format ${String(v)})`);
  }
  if (!isEventType(type)) {
    return fault('unknownType', `it was written by a newer version of Loupe (event ${JSON.stringify(type)})`);
  }
  if (!isCount(members['seq']) || typeof members['id'] !== 'string' || !Number.isFinite(members['at'])) {
    return fault('corrupt', 'it lacks its sequence number, its id or its time');
  }
  const writer = segmentWriter ?? namedWriter(members);
  if (writer === null) {
    return fault('corrupt', 'it does not name its writer');
  }
  // The checksum guarantees that this version of Loupe wrote the members.
  return { ok: true, event: Object.assign(members, { writer }) as unknown as ChatEvent };
}

function namedWriter({ writer }: JsonObject): string | null {
  return typeof writer === 'string' && isWriterId(writer) ? writer : null;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}

function fault(kind: LineFault, reason: string): DecodedLine {
  return { ok: false, fault: kind, reason };
}
