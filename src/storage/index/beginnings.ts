import { messagesAt } from '../../engine/chat/snapshot.js';
import type { Place } from './opened.js';
import { messagesBetween } from './place.js';
import type { PlaceLine } from './placesFile.js';

interface Beginning {
  /** That stand before it. */
  readonly messages: number;
  /** Bytes of log before it. */
  readonly offset: number;
  readonly isEnough: boolean;
}

/** The beginning of the log. */
const ORIGIN: Beginning = { messages: 0, offset: 0, isEnough: true };

/** The places that an opening may begin at, the newest last: for telling how much log it would read. */
export class Beginnings {
  readonly #wanted: number;
  readonly #known: Beginning[];

  /** Those before `start`, as far as they matter for an opening with `wanted` messages behind it, and it. */
  static async before(start: Place | null, wanted: number, places: AsyncIterable<PlaceLine>): Promise<Beginnings> {
    const found: Place[] = [];
    if (start !== null) {
      found.push(start);
      for await (const { place } of places) {
        const last = found[0] ?? start;
        // What `start` carries may be gone back into.
        if (last.isEnough || messagesBetween(last, start) >= wanted) {
          break;
        }
        found.unshift(place);
      }
    }
    return new Beginnings(wanted, found);
  }

  private constructor(wanted: number, places: readonly Place[]) {
    this.#wanted = wanted;
    this.#known = places.map(beginning);
  }

  add(place: Place): void {
    this.#known.push(beginning(place));
  }

  /** Bytes of log before a place that are read for what is wanted of the conversation there. */
  reach(place: Place): number {
    const total = messagesAt(place.snapshot);
    const from = this.#known.findLast(({ messages, isEnough }) => isEnough || total - messages >= this.#wanted) ?? ORIGIN;
    return bytesBefore(place) - from.offset;
  }
}

function beginning(place: Place): Beginning {
  return { messages: place.snapshot.earlier.messages, offset: bytesBefore(place), isEnough: place.isEnough };
}

function bytesBefore({ position }: Place): number {
  return [...position.values()].reduce((sum, mark) => sum + (mark?.end.offset ?? 0), 0);
}
