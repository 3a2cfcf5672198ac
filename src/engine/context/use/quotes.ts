import { type Atoms, atomsOf, isSpaceless, isWord, textBetween } from './atoms.js';

/**
 * The words that a text and a reply must share in a row to be a quote. Shorter runs are common phrases, such as `if you
 * are not sure about the`, which two texts often share by chance.
 */
export const LEAST_QUOTED = 8;

/** In scripts without spaces, a word has about two letters. */
const LETTERS_PER_WORD = 2;

/** A text whose words are cached by its object. */
export interface QuotableText {
  readonly text: string;
}

/** The words of a text in lower case, with their places among the atoms. */
interface Words {
  readonly words: readonly string[];
  readonly places: readonly number[];
  /** For each word, the end of the shortest run from it that is long enough to be a quote. Null near the end. */
  readonly ends: readonly (number | null)[];
}

const known = new WeakMap<QuotableText, Words>();

/** The words of one text of a reply. Its first word has the number `from` among the words of all texts. */
interface ReplyText extends Words {
  readonly source: Atoms;
  readonly from: number;
}

/** The runs of words in a reply that can be quotes. A run is the number of its first word. */
export class QuotedRuns {
  readonly #texts: readonly ReplyText[];
  readonly #ids = new Map<string, number>();
  /** The first run with each hash. */
  readonly #runs = new Map<number, number>();
  /** The next run with the same hash, but with other words. */
  readonly #others = new Map<number, number>();

  constructor(sources: readonly Atoms[]) {
    const texts: ReplyText[] = [];
    for (const source of sources) {
      const before = texts.at(-1);
      texts.push({ source, ...wordsOf(source), from: before === undefined ? 0 : before.from + before.words.length });
    }
    this.#texts = texts;
    for (const { words, ends, from } of texts) {
      const ids = words.map((word) => this.#idOf(word));
      for (const [at, end] of ends.entries()) {
        if (end !== null) {
          this.#add(hashOf(ids, at, end), from + at);
        }
      }
    }
  }

  /** Returns the first run of words of a text that the reply contains, as the reply has it. Null without a run. */
  find(text: QuotableText): string | null {
    if (this.#runs.size === 0) {
      return null;
    }
    const quoted = known.get(text) ?? wordsOf(atomsOf(text.text));
    known.set(text, quoted);
    const ids = quoted.words.map((word) => this.#ids.get(word) ?? 0);
    let unknown = -1;
    let seen = 0;
    for (const [at, end] of quoted.ends.entries()) {
      for (; seen < (end ?? 0); seen += 1) {
        unknown = ids[seen] === 0 ? seen : unknown;
      }
      const found = end === null || unknown >= at ? null : this.#whole(hashOf(ids, at, end), quoted, at);
      if (found !== null) {
        return found;
      }
    }
    return null;
  }

  /** Returns the number of a word, from 1. */
  #idOf(word: string): number {
    const id = this.#ids.get(word) ?? this.#ids.size + 1;
    this.#ids.set(word, id);
    return id;
  }

  /** Adds a run, unless an earlier run has the same words. */
  #add(hash: number, run: number): void {
    let last = this.#runs.get(hash);
    if (last === undefined) {
      this.#runs.set(hash, run);
      return;
    }
    const { text, at } = this.#place(run);
    for (let other: number | undefined = last; other !== undefined; other = this.#others.get(other)) {
      if (this.#isSame(other, text, at)) {
        return;
      }
      last = other;
    }
    this.#others.set(last, run);
  }

  /** Returns the run of a text at a word, with all following words that are also equal. Null if the reply lacks it. */
  #whole(hash: number, quoted: Words, at: number): string | null {
    let run = this.#runs.get(hash);
    while (run !== undefined && !this.#isSame(run, quoted, at)) {
      run = this.#others.get(run);
    }
    if (run === undefined) {
      return null;
    }
    const { text, at: from } = this.#place(run);
    let to = from;
    while (text.words[to] !== undefined && text.words[to] === quoted.words[at + to - from]) {
      to += 1;
    }
    return textBetween(text.source, text.places[from] ?? 0, (text.places[to - 1] ?? 0) + 1);
  }

  /** Whether a run has the words of the shortest quote that begins at a word of another text. */
  #isSame(run: number, { words, ends }: Words, at: number): boolean {
    const { text, at: from } = this.#place(run);
    for (let index = at; index < (ends[at] ?? at); index += 1) {
      if (words[index] !== text.words[from + index - at]) {
        return false;
      }
    }
    return true;
  }

  #place(run: number): { readonly text: ReplyText; readonly at: number } {
    const text = this.#texts.findLast(({ from }) => from <= run);
    if (text === undefined) {
      throw new RangeError(`The reply has no word ${String(run)}.`);
    }
    return { text, at: run - text.from };
  }
}

function hashOf(ids: readonly number[], from: number, to: number): number {
  let hash = 0;
  for (let at = from; at < to; at += 1) {
    hash = (Math.imul(hash, 1_000_003) + (ids[at] ?? 0)) | 0;
  }
  return hash;
}

function wordsOf({ atoms }: Atoms): Words {
  const words: string[] = [];
  const places: number[] = [];
  for (const [at, atom] of atoms.entries()) {
    if (isWord(atom)) {
      words.push(atom.toLowerCase());
      places.push(at);
    }
  }
  return { words, places, ends: runEnds(words) };
}

function runEnds(words: readonly string[]): (number | null)[] {
  const weights = words.map((word) => (isSpaceless(word) ? 1 : LETTERS_PER_WORD));
  let end = 0;
  let weight = 0;
  return weights.map((own) => {
    while (weight < LEAST_QUOTED * LETTERS_PER_WORD && end < weights.length) {
      weight += weights[end] ?? 0;
      end += 1;
    }
    const found = weight < LEAST_QUOTED * LETTERS_PER_WORD ? null : end;
    weight -= own;
    return found;
  });
}
