import type { Item } from './content.js';
import type { Random } from './random.js';

/** How far the topic of a turn is from that of the turn before: up to half of this, either way. */
const DRIFT = 8;

/** The share of turns with a topic of their own. */
const NEW_TOPIC = 0.12;

/** What the search by meaning adds to distances, at most. */
const NOISE = 3;

/** Rules that are chosen for each turn: they lie on a ring, and the nearest to the topic of the turn win. */
export class ChosenRules {
  readonly #random: Random;
  readonly #pool: readonly Item[];
  readonly #count: number;
  #topic: number;

  constructor(random: Random, pool: readonly Item[], count: number) {
    this.#random = random;
    this.#pool = pool;
    this.#count = count;
    this.#topic = random.next() * pool.length;
  }

  /** The rules of the next turn, in an order that does not tell how near they are. */
  choose(): readonly Item[] {
    if (this.#count === 0) {
      return [];
    }
    this.#topic += (this.#random.next() - 0.5) * DRIFT;
    if (this.#random.chance(NEW_TOPIC)) {
      this.#topic = this.#random.next() * this.#pool.length;
    }
    const near = this.#pool.map((rule, at) => ({ rule, distance: this.#distanceOf(at) + this.#random.next() * NOISE }));
    near.sort((a, b) => a.distance - b.distance);
    return near
      .slice(0, this.#count)
      .map(({ rule }) => rule)
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** Of a place on the ring from the topic, which may have drifted past the ends some times. */
  #distanceOf(at: number): number {
    const around = this.#pool.length;
    return Math.abs(((at - this.#topic + around * 10.5) % around) - around / 2);
  }
}
