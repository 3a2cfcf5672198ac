import type { ComparedForm, Fact, FactKind } from '../fact.js';
import { folded } from './sentences.js';

const WORD = /[\p{L}\p{N}_$]/u;
const PATH_BEFORE = /[\p{L}\p{N}_$/\\.~@-]/u;
const FIGURE_BEFORE = /[\p{L}\p{N}_.,]/u;
const SPACE_BEFORE_UNIT = /(\d) (?=[\p{L}%‰€$£°])/gu;

/** Punctuation at the end of a sentence. A copy in a summary may have other punctuation. */
const SENTENCE_END = /[\s.!?:;,…]{1,10}$/;

const RUN = /[\p{L}\p{N}_]+/gu;

/**
 * Returns a function that tests whether `text` contains a fact. Paths and identifiers must match exactly, as whole
 * words. Other facts may differ in case, white space and Markdown marks. `text` is read once for all facts.
 */
export function factTest(text: string): (fact: Fact) => boolean {
  const sentences = folded(text);
  const [inText, inSentences, inFigures] = [text, sentences, figureForm(sentences)].map((each) => new Words(each)) as [Words, Words, Words];
  return ({ kind, form }) => {
    switch (kind) {
      case 'path':
        return inText.holds(form, PATH_BEFORE);
      case 'identifier':
        return inText.holds(form, WORD);
      case 'figure':
        return inFigures.holds(form, FIGURE_BEFORE);
      case 'constraint':
      case 'decision':
      case 'question':
      case 'statement':
      case 'error':
        return inSentences.holds(form, WORD);
    }
  };
}

/** Returns the form of a fact that `factTest` compares. Each fact stores this form, so it is computed only once. */
export function comparedForm(kind: FactKind, text: string): ComparedForm {
  const word = withoutDifferences(kind, text);
  const runs = [...word.matchAll(RUN)].map(({ 0: run, index: at }) => ({ run, at }));
  const longest = runs.toSorted((a, b) => b.run.length - a.run.length)[0];
  return { word, ...(longest ?? { run: '', at: 0 }) };
}

function withoutDifferences(kind: FactKind, text: string): string {
  switch (kind) {
    case 'path':
    case 'identifier':
      return text;
    case 'figure':
      return figureForm(folded(text));
    case 'constraint':
    case 'decision':
    case 'question':
    case 'statement':
    case 'error':
      return folded(text).replace(SENTENCE_END, '');
  }
}

function figureForm(text: string): string {
  return text.replaceAll('\u00A0', ' ').replace(SPACE_BEFORE_UNIT, '$1');
}

/** A text with an index of its words. */
class Words {
  readonly #text: string;
  /** The indices in the text of each run of letters and digits. Null until the first search. */
  #places: ReadonlyMap<string, readonly number[]> | null = null;

  constructor(text: string) {
    this.#text = text;
  }

  /**
   * Whether the text contains `word` as a whole word: the character before the match does not match `before`, and no
   * longer word begins there. So each run of letters and digits in `word` is a whole run of the text as well.
   */
  holds({ word, run, at: offset }: ComparedForm, before: RegExp): boolean {
    if (word === '') {
      return true;
    }
    this.#places ??= placesIn(this.#text);
    const places = run === '' ? occurrences(this.#text, word) : this.#places.get(run);
    if (places === undefined) {
      return false;
    }
    const starts = places.filter((place) => place >= offset).map((place) => place - offset);
    return starts.some((at) => this.#text.startsWith(word, at) && isWhole(this.#text, { word, at, before }));
  }
}

function placesIn(text: string): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const { 0: run, index } of text.matchAll(RUN)) {
    const known = places.get(run);
    if (known === undefined) {
      places.set(run, [index]);
    } else {
      known.push(index);
    }
  }
  return places;
}

function occurrences(text: string, word: string): readonly number[] {
  const found: number[] = [];
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    found.push(at);
  }
  return found;
}

interface Place {
  readonly word: string;
  readonly at: number;
  readonly before: RegExp;
}

function isWhole(text: string, { word, at, before }: Place): boolean {
  const first = word.charAt(0);
  const isStart = at === 0 || !before.test(text.charAt(at - 1)) || (!WORD.test(first) && !PATH_BEFORE.test(first));
  return isStart && isEndOfWord(text, at + word.length, word);
}

function isEndOfWord(text: string, end: number, word: string): boolean {
  const next = text.charAt(end);
  if (next === '' || !/[\p{L}\p{N}_$]$/u.test(word)) {
    return true;
  }
  // In "a.ts.", the dot ends a sentence; "a.ts.bak" is another file.
  const goesOn = /[.\\/-]/.test(next) && WORD.test(text.charAt(end + 1));
  return !WORD.test(next) && !goesOn;
}
