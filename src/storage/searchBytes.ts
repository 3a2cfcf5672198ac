/** The byte values that match at one position of a pattern. */
export type ByteClass = readonly number[];

/** Each position is one bit of a 32-bit number. A longer pattern would hardly match less often. */
export const MAX_POSITIONS = 32;

/** The classes that match exactly the bytes of a text. */
export function literalClasses(text: string): ByteClass[] {
  return [...Buffer.from(text)].map((value) => [value]);
}

/** Bytes sampled to see which ones are rare in a chunk, evenly spread: well under 1 % of it. */
const SAMPLE_COUNT = 2_048;

/**
 * Measured: `indexOf` for one byte passes 20 GB/s but costs 70 ns per find; Horspool's search passes 1.5 to 2.5 GB/s.
 * Up to about one find in this many bytes, `indexOf` is faster.
 */
const RARE_SPACING = 128;

/**
 * Finds matches of a pattern of byte classes. The upper and the lower case of a letter are two values of one class.
 * There are two ways to search:
 *
 * - When a class is rare in the bytes, `indexOf` looks for its values: fast for rare letters.
 * - Else Horspool's search, with classes for bytes: it looks at the byte under the last position, and moves on until
 *   an earlier class matches that byte. It is fast for long patterns.
 */
export class BytePattern {
  readonly length: number;
  readonly #classes: readonly ByteClass[];
  /** By byte value: how far to move when it is under the last position; 0 when the last class holds it. */
  readonly #move = new Uint8Array(256);
  /** Like `#move`, for when the last class holds the byte but an earlier position does not match. */
  readonly #moveOn = new Uint8Array(256);
  /** By byte value: bit n is set when class n holds it. */
  readonly #holds = new Uint32Array(256);

  /** Takes 1 to `MAX_POSITIONS` classes. */
  constructor(classes: readonly ByteClass[]) {
    this.length = classes.length;
    this.#classes = classes;
    const last = classes.length - 1;
    this.#moveOn.fill(classes.length);
    classes.forEach((values, position) => {
      for (const value of values) {
        this.#holds[value] = (this.#holds[value] ?? 0) | (1 << position);
        if (position < last) {
          this.#moveOn[value] = last - position;
        }
      }
    });
    this.#move.set(this.#moveOn);
    for (const value of classes[last] ?? []) {
      this.#move[value] = 0;
    }
  }

  /** A search through `bytes`, in the faster of the two ways. */
  searchIn(bytes: Buffer): ByteSearch {
    const rare = this.#rarePosition(bytes);
    return rare === null ? (from) => this.#find(bytes, from) : this.#searchRare(bytes, rare);
  }

  /** The position whose class is rare in `bytes`; null when none is. */
  #rarePosition(bytes: Buffer): number | null {
    const counts = new Uint16Array(256);
    const stride = Math.max(1, Math.floor(bytes.length / SAMPLE_COUNT));
    let sampled = 0;
    for (let at = 0; at < bytes.length; at += stride) {
      const value = bytes[at] ?? 0;
      counts[value] = (counts[value] ?? 0) + 1;
      sampled += 1;
    }
    const found = this.#classes.map((values) => values.reduce((sum, value) => sum + (counts[value] ?? 0), 0));
    const rarest = Math.min(...found);
    return rarest * RARE_SPACING <= sampled ? found.indexOf(rarest) : null;
  }

  #searchRare(bytes: Buffer, position: number): ByteSearch {
    const nearest = nearestOf(bytes, this.#classes[position] ?? []);
    return (from) => {
      for (let at = nearest(from + position); at !== -1; at = nearest(at + 1)) {
        const start = at - position;
        if (start + this.length <= bytes.length && this.#matches(bytes, start, this.length)) {
          return start;
        }
      }
      return -1;
    };
  }

  #find(bytes: Uint8Array, from: number): number {
    const move = this.#move;
    const last = this.length - 1;
    const end = bytes.length;
    let at = from + last;
    while (at < end) {
      const value = bytes[at] ?? 0;
      const step = move[value] ?? 0;
      if (step > 0) {
        at += step;
      } else if (this.#matches(bytes, at - last, last)) {
        return at - last;
      } else {
        at += this.#moveOn[value] ?? 1;
      }
    }
    return -1;
  }

  /** Whether the first `count` positions match from `start`. */
  #matches(bytes: Uint8Array, start: number, count: number): boolean {
    for (let position = 0; position < count; position += 1) {
      if (((this.#holds[bytes[start + position] ?? 0] ?? 0) & (1 << position)) === 0) {
        return false;
      }
    }
    return true;
  }
}

/** The offset of the first match at or after `from`; -1 without one. `from` must not decrease from call to call. */
export type ByteSearch = (from: number) => number;

/** Finds the nearest of some byte values. It looks a value up again only when the search has passed the known offset. */
function nearestOf(bytes: Buffer, values: ByteClass): ByteSearch {
  const different = [...new Set(values)];
  const places = different.map(() => -1);
  const ended = different.map(() => false);
  return (from) => {
    let nearest = -1;
    for (let index = 0; index < different.length; index += 1) {
      if (ended[index] !== true && (places[index] ?? -1) < from) {
        places[index] = bytes.indexOf(different[index] ?? 0, from);
        ended[index] = places[index] === -1;
      }
      const place = places[index] ?? -1;
      nearest = place !== -1 && (nearest === -1 || place < nearest) ? place : nearest;
    }
    return nearest;
  };
}
