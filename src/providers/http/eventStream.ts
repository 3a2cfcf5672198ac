import { parseJson } from '../../engine/json.js';

/**
 * Largest part of an event stream that is held back, in bytes. Events carry a few tokens each; the largest that are
 * known carry a whole file as the argument of a tool call. 4 MiB is far above those and still harmless in memory.
 */
export const MAX_EVENT_BYTES = 4 * 1024 * 1024;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const FIRST_BUFFER_BYTES = 4 * 1024;
/** What follows an event: parsers dispatch it only then. */
const EVENT_END = new TextEncoder().encode('\n\n');

/** A line with data that is not empty, its bytes read as Latin 1; a byte order mark may stand before the first line. */
const SOME_DATA = /(?:^|[\r\n])(?:\xef\xbb\xbf)?data:(?! ?[\r\n])/;

/**
 * Cuts an event stream at the ends of events, in bytes, so that neither a line nor a character is ever cut. Lines end
 * with `\n`, `\r\n` or `\r`, an event with an empty line. What has no end yet is held back: parsers would flush it at
 * the end of the stream, and take what was cut in the middle for an event. Events without data, which servers send to
 * keep a connection open (comments, `event: ping`, `data:`), end here, as the format has it: the SDKs' parsers keep the
 * lines of comments until an event with data comes, and take empty data for broken JSON.
 */
export class EventStream {
  /** Holds the open event in its first `#length` bytes. It doubles when it is full, so that copying stays linear. */
  #buffer = new Uint8Array(FIRST_BUFFER_BYTES);
  #length = 0;
  #isLineEmpty = true;
  #isAfterReturn = false;

  /** Whether more than `MAX_EVENT_BYTES` came without the end of an event. */
  get isTooLong(): boolean {
    return this.#length > MAX_EVENT_BYTES;
  }

  /** Takes the next bytes and gives all events that are whole now, with their empty lines; null for none. */
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

  /** `isFirst` says that nothing of the event came before this byte. */
  #endsEvent(byte: number, isFirst: boolean): boolean {
    const isSecondOfPair = byte === LINE_FEED && this.#isAfterReturn;
    this.#isAfterReturn = byte === CARRIAGE_RETURN;
    if (isSecondOfPair) {
      // As the first byte it belongs to the line that has ended the event before.
      return isFirst;
    }
    const wasEmpty = this.#isLineEmpty;
    this.#isLineEmpty = byte === LINE_FEED || byte === CARRIAGE_RETURN;
    return this.#isLineEmpty && wasEmpty;
  }

  /**
   * The end of the stream: gives the open event, ended, when it is whole but for its empty line; null when there is
   * none, or when it was cut. Its last line may lack an end and counts when it completes the event's data.
   */
  end(): Uint8Array | null {
    const text = new TextDecoder().decode(this.#buffer.subarray(0, this.#length));
    this.#length = 0;
    const lines = text.split(/\r\n|\n|\r/);
    const closed = lines.slice(0, -1);
    const whole = [lines, closed].find(isWholeEvent);
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

/** A line with data; a line that is only the name of the field holds an empty piece of it. */
const DATA_LINE = /^data(?:: ?(.*))?$/s;

/** Whether the data of an event is complete in itself: `[DONE]`, or JSON. A number may go on, so it does not count. */
function isWholeEvent(lines: readonly string[]): boolean {
  const fields = lines.map((line) => DATA_LINE.exec(line)).filter((field) => field !== null);
  const data = fields.map(([, value]) => value ?? '').join('\n');
  return data === '[DONE]' || !['number', 'undefined'].includes(typeof parseJson(data));
}

/** Empty lines between events, or the second half of the one that has ended an event already. */
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
