/** Maximum number of UTF-8 bytes for one UTF-16 unit. */
const BYTES_PER_UNIT = 3;

/** UTF-16 units encoded at a time. Few enough that the bytes fit into the processor's cache. */
const WINDOW = 16_384;

/** Reads texts as UTF-8, piece by piece: `bytes[start, end)` is the current piece. A lone surrogate becomes U+FFFD. */
export class Utf8Reader {
  bytes = new Uint8Array(WINDOW * BYTES_PER_UNIT);
  start = 0;
  end = 0;
  readonly #encoder = new TextEncoder();
  #text = '';
  /** The end of the encoded part of the text, in UTF-16 units. */
  #windowEnd = 0;
  /** Whether the encoded part contains only ASCII, one byte per unit. */
  #isAscii = true;
  #to = 0;

  begin(text: string): void {
    this.#text = text;
    this.#windowEnd = 0;
    this.#to = 0;
  }

  /** Moves to the piece that ends at unit `to` of the text, which must not be inside a surrogate pair. */
  next(to: number): void {
    const from = this.#to;
    if (to > this.#windowEnd) {
      this.#encode(from, to);
    }
    this.start = this.end;
    this.end = this.#isAscii ? this.start + to - from : this.#endOf(to - from);
    this.#to = to;
  }

  #encode(from: number, to: number): void {
    this.#windowEnd = Math.min(this.#text.length, Math.max(to, from + WINDOW));
    const units = this.#windowEnd - from;
    if (units * BYTES_PER_UNIT > this.bytes.length) {
      this.bytes = new Uint8Array(units * BYTES_PER_UNIT);
    }
    const { written } = this.#encoder.encodeInto(this.#text.slice(from, this.#windowEnd), this.bytes);
    this.#isAscii = written === units;
    this.end = 0;
  }

  #endOf(units: number): number {
    let at = this.start;
    for (let left = units; left > 0; ) {
      const lead = this.bytes[at] ?? 0;
      const length = sequenceLength(lead);
      // A sequence of four bytes is a surrogate pair, which has two units.
      left -= length === 4 ? 2 : 1;
      at += length;
    }
    return at;
  }
}

/** Returns the number of bytes of the code point whose first byte is `lead`. */
function sequenceLength(lead: number): number {
  if (lead < 0x80) {
    return 1;
  }
  if (lead < 0xe0) {
    return 2;
  }
  return lead < 0xf0 ? 3 : 4;
}
