import type { Item } from './content.js';
import type { Random } from './random.js';

/** The topic of a turn moves by at most half of this in either direction. */
const DRIFT = 8;
/** The share of turns with an unrelated topic. */
const NEW_TOPIC = 0.12;
/** The largest error of a distance, as in a search by meaning. */
const NOISE = 3;

/** Rules that are chosen for each turn. They lie on a ring; those nearest to the topic win. */
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

  /** Returns the rules of the next turn in an order independent of the distance. */
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

  /** The distance on the ring from the topic, which can be outside of it after some turns. */
  #distanceOf(at: number): number {
    const around = this.#pool.length;
    return Math.abs(((at - this.#topic + around * 10.5) % around) - around / 2);
  }
}
