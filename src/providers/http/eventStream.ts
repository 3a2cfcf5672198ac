import { parseJson } from '../../engine/json.js';

/**
 * Most bytes of an event stream that are held back. Events carry a few tokens each; the largest known ones carry a
 * whole file as the argument of a tool call. 4 MiB is far above those, and harmless in memory.
 */
export const MAX_EVENT_BYTES = 4 * 1024 * 1024;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const FIRST_BUFFER_BYTES = 4 * 1024;
/** The end of an event, without which parsers do not dispatch it. */
const EVENT_END = new TextEncoder().encode('\n\n');

/** A line with data that is not empty, its bytes decoded as Latin-1. The first line may begin with a byte order mark. */
const SOME_DATA = /(?:^|[\r\n])(?:\xef\xbb\xbf)?data:(?! ?[\r\n])/;

/**
 * Cuts an event stream into whole events, in bytes, so that no line and no character is ever cut. Lines end with
 * `\n`, `\r\n` or `\r`; an event ends with an empty line. An unfinished event is held back: parsers would dispatch it
 * at the end of the stream, although it was cut. Events without data only keep a connection open (comments, `event:
 * ping`, `data:`) and are dropped, as the format says. The SDKs' parsers would keep comments until the next event
 * with data, and take empty data for broken JSON.
 */
export class EventStream {
  /** The first `#length` bytes hold the unfinished event. The buffer doubles when it is full, so that copying stays linear. */
  #buffer = new Uint8Array(FIRST_BUFFER_BYTES);
  #length = 0;
  #isLineEmpty = true;
  #isAfterReturn = false;

  /** Whether an unfinished event is longer than `MAX_EVENT_BYTES`. */
  get isTooLong(): boolean {
    return this.#length > MAX_EVENT_BYTES;
  }

  /** Takes the next bytes. Returns all events that are now whole, with their empty lines; null without one. */
  push(bytes: Uint8Array): Uint8Array | null {
    const start = this.#length;
    this.#append(bytes);
    const events: Uint8Array[] = [];
    let from = 0;
    for (let at = start; at < this.#length; at += 1) {
      if (this.#endsEvent(this.#buffer[at] ?? 0, at === from)) {
        const event = this.#buffer.slice(from, at + 1);
        if (isLineEnds(event) || SOME_DATA.test(Buffer.from(event.buffer).toString('latin1'))) {
          events.push(event);
        }
        from = at + 1;
      }
    }
    this.#buffer.copyWithin(0, from, this.#length);
    this.#length -= from;
    return events.length === 0 ? null : concat(events);
  }

  /** `isFirst`: whether this is the first byte of an event. */
  #endsEvent(byte: number, isFirst: boolean): boolean {
    const isSecondOfPair = byte === LINE_FEED && this.#isAfterReturn;
    this.#isAfterReturn = byte === CARRIAGE_RETURN;
    if (isSecondOfPair) {
      // As the first byte, it belongs to the end of the event before.
      return isFirst;
    }
    const wasEmpty = this.#isLineEmpty;
    this.#isLineEmpty = byte === LINE_FEED || byte === CARRIAGE_RETURN;
    return this.#isLineEmpty && wasEmpty;
  }

  /**
   * Ends the stream. Returns the unfinished event, completed, when it only lacks its empty line. Null when there is
   * none, or when it was cut. Its last line may lack its end, and counts when it completes the event's data.
   */
  end(): Uint8Array | null {
    const text = new TextDecoder().decode(this.#buffer.subarray(0, this.#length));
    this.#length = 0;
    const lines = text.split(/\r\n|\n|\r/);
    const closed = lines.slice(0, -1);
    const whole = [lines, closed].find(isCompleteEvent);
    return whole === undefined ? null : concat([new TextEncoder().encode(whole.join('\n')), EVENT_END]);
  }

  #append(bytes: Uint8Array): void {
    const needed = this.#length + bytes.length;
    if (needed > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(needed, this.#buffer.length * 2));
      larger.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = larger;
    }
    this.#buffer.set(bytes, this.#length);
    this.#length = needed;
  }
}

/** A line with data; a line with only the field's name holds an empty piece. */
const DATA_LINE = /^data(?:: ?(.*))?$/s;

/** Whether the data of an event is complete: `[DONE]`, or JSON. A number may be cut, so it does not count. */
function isCompleteEvent(lines: readonly string[]): boolean {
  const fields = lines.map((line) => DATA_LINE.exec(line)).filter((field) => field !== null);
  const data = fields.map(([, value]) => value ?? '').join('\n');
  return data === '[DONE]' || !['number', 'undefined'].includes(typeof parseJson(data));
}

/** Whether the bytes are only line ends: between events, or the second half of an event's last line end. */
function isLineEnds(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === LINE_FEED || byte === CARRIAGE_RETURN);
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
