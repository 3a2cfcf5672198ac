import { type Background, type Stem, wordsOf } from './words.js';

/** The texts of a ranked item. Each kind has its own weight. */
export interface RankedTexts {
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly headings: string;
  readonly body: string;
}

/** How well an item fits a message, from 0 to 1. At 1, everything in the message is about the item. */
export interface Score {
  readonly key: string;
  readonly score: number;
}

type Field = Exclude<keyof RankedTexts, 'key'>;

/** Share of a word's weight that an item gets when its name, description, headings or body contain the word. */
const FIELDS: Readonly<Record<Field, number>> = { name: 0.9, description: 0.75, headings: 0.6, body: 0.35 };

const FIELD_NAMES = Object.keys(FIELDS) as readonly Field[];

/** Weight of a word that no item contains. Words of items weigh more, because they show the topic of the message. */
const UNKNOWN = 1;

/** Number of words that represent the topic of a message of any length: the words with the highest weight. */
const MOST_WORDS = 5;

/** The items that contain a word (`places`), and the share of the word's weight that each item gets, from 0 to 1. */
interface Postings {
  readonly stem: string;
  readonly places: number[];
  readonly shares: number[];
}

/**
 * Ranks items by the words that they share with a message. A score is the weight of the shared words, divided by the
 * weight of the message's `MOST_WORDS` heaviest words, at most 1. So a fixed minimum works: items on another topic get
 * 0. Rare words weigh more, by the inverse document frequency of BM25 (Robertson and Zaragoza 2009, formula 3.3).
 *
 * In the few items of a catalog, words such as `code` are rare, too. So the words of messages on any topic weigh little
 * (a background model: Hiemstra, Robertson and Zaragoza 2004), and the divisor is at least the weight that the
 * message's rarest word would have as a word of a topic. Otherwise, the low weights would cancel out in a message of
 * common words only.
 */
export class LexicalIndex {
  readonly #postings = new Map<string, Postings>();
  readonly #placed = new Map<string, { readonly place: number; readonly postings: readonly Postings[] }>();
  /** Keys by place. A new item takes the place of a deleted item. */
  readonly #keys: string[] = [];
  readonly #free: number[] = [];
  /** Scores of the items for the current message, by place. All are 0 when no message is being ranked. */
  readonly #sums: number[] = [];
  readonly #stem: Stem;
  readonly #isCommon: (word: string, stem: string) => boolean;
  readonly #commonWeight: number;

  constructor(stem: Stem, { words, inAllForms, weight }: Background) {
    const stems = new Set([...words].map(stem));
    this.#stem = stem;
    this.#isCommon = inAllForms ? (_word, stemmed) => stems.has(stemmed) : (word) => words.has(word);
    this.#commonWeight = weight;
  }

  put(item: RankedTexts): void {
    this.putShares(item.key, sharesOf(item, this.#stem));
  }

  /** Adds or replaces an item by its stems, with the share of each word's weight that the item gets: 0 to 1. */
  putShares(key: string, shares: ReadonlyMap<string, number>): void {
    this.delete(key);
    const place = this.#free.pop() ?? this.#keys.length;
    this.#keys[place] = key;
    this.#sums[place] = 0;
    const postings = [...shares].map(([stem, share]) => {
      const known = this.#postings.get(stem) ?? { stem, places: [], shares: [] };
      known.places.push(place);
      known.shares.push(share);
      this.#postings.set(stem, known);
      return known;
    });
    this.#placed.set(key, { place, postings });
  }

  delete(key: string): void {
    const placed = this.#placed.get(key);
    if (placed === undefined) {
      return;
    }
    for (const postings of placed.postings) {
      this.#takeOut(postings, placed.place);
    }
    this.#placed.delete(key);
    this.#free.push(placed.place);
  }

  #takeOut({ stem, places, shares }: Postings, place: number): void {
    const at = places.indexOf(place);
    const [lastPlace, lastShare] = [places.pop(), shares.pop()];
    if (places.length === 0) {
      this.#postings.delete(stem);
    } else if (at < places.length && lastPlace !== undefined && lastShare !== undefined) {
      places[at] = lastPlace;
      shares[at] = lastShare;
    }
  }

  /** Returns at most `most` items that share a word with the message, the best first. */
  rank(message: string, most: number): Score[] {
    return this.#rank(message, most, heaviest);
  }

  /** The same, with the weight of all words of the message as the divisor: scores of long texts then stay below 1. */
  rankLong(message: string, most: number): Score[] {
    return this.#rank(message, most, sumOf);
  }

  #rank(message: string, most: number, totalOf: (weights: readonly number[]) => number): Score[] {
    const count = this.#placed.size;
    if (count === 0) {
      // Without items, skips the extraction of words, which takes the most time.
      return [];
    }
    const found: number[] = [];
    const weights: number[] = [];
    let heaviestWhole = 0;
    for (const [stem, share] of this.#stemsOf(message)) {
      const { places = [], shares = [] } = this.#postings.get(stem) ?? {};
      const whole = places.length === 0 ? UNKNOWN : UNKNOWN + rarity(places.length, count);
      const weight = share * whole;
      weights.push(weight);
      heaviestWhole = Math.max(heaviestWhole, whole);
      for (const [at, place] of places.entries()) {
        if (this.#sums[place] === 0) {
          found.push(place);
        }
        this.#sums[place] = (this.#sums[place] ?? 0) + weight * (shares[at] ?? 0);
      }
    }
    const best = this.#best(found, Math.max(totalOf(weights), heaviestWhole), most);
    for (const place of found) {
      this.#sums[place] = 0;
    }
    return best;
  }

  /** Returns at most `most` found items, the best first. Few items enter the sorted list, so sorting is cheap. */
  #best(found: readonly number[], total: number, most: number): Score[] {
    const best: Score[] = [];
    for (const place of found) {
      const score = { key: this.#keys[place] ?? '', score: Math.min(1, (this.#sums[place] ?? 0) / total) };
      const last = best.at(-1);
      if (best.length < most || last === undefined || byScore(score, last) < 0) {
        const at = best.findIndex((each) => byScore(score, each) < 0);
        best.splice(at === -1 ? best.length : at, 0, score);
        best.length = Math.min(best.length, most);
      }
    }
    return best;
  }

  #stemsOf(message: string): ReadonlyMap<string, number> {
    return new Map(
      wordsOf(message).map((word) => {
        const stem = this.#stem(word);
        return [stem, this.#isCommon(word, stem) ? this.#commonWeight : 1];
      }),
    );
  }
}

function heaviest(weights: readonly number[]): number {
  return sumOf(weights.toSorted((a, b) => b - a).slice(0, MOST_WORDS));
}

function sumOf(weights: readonly number[]): number {
  return weights.reduce((sum, weight) => sum + weight, 0);
}

/** Sorts the best first, and equal scores by key: the same order on every machine. */
export function byScore(a: Score, b: Score): number {
  return a.score === b.score ? (a.key < b.key ? -1 : 1) : b.score - a.score;
}

/** Returns the share of each word's weight that an item gets. The share rises with each text that has the word. */
function sharesOf(item: RankedTexts, stem: Stem): ReadonlyMap<string, number> {
  const shares = new Map<string, number>();
  for (const field of FIELD_NAMES) {
    const words = wordsOf(item[field]);
    // Joins neighbouring words, so that `timezone` also finds `time zone`.
    const joined = field === 'body' ? [] : words.slice(1).map((word, at) => `${words[at] ?? ''}${word}`);
    for (const found of new Set([...words, ...joined].map(stem))) {
      shares.set(found, 1 - (1 - (shares.get(found) ?? 0)) * (1 - FIELDS[field]));
    }
  }
  return shares;
}

function rarity(having: number, count: number): number {
  return Math.log(1 + (count - having + 0.5) / (having + 0.5));
}
