import { folded } from '../folded.js';
import type { FactKind } from '../fact.js';

export type SentenceKind = Extract<FactKind, 'constraint' | 'decision' | 'question'>;

/**
 * A sign that a sentence is of a kind: one of `words` stands in it, `when` matches and `unless` does not. The patterns see
 * the sentence in its plain form (see `plain`). The words come first because most sentences have none of them.
 */
export interface Cue {
  readonly words: string;
  readonly when: RegExp | null;
  readonly unless: RegExp | null;
}

/** What a language says of each kind. `headings` are words of a heading (or a line that ends with a colon) over a list of them. */
export type Language = Readonly<Record<SentenceKind, { readonly cues: readonly Cue[]; readonly headings: string }>>;

/** A sign that needs no more than one of `words`. */
export function words(list: string): Cue {
  return { words: unaccented(list), when: null, unless: null };
}

/** A sign that has one of `list`, and a turn of phrase around it. */
export function phrase(list: string, when: RegExp): Cue {
  return { words: unaccented(list), when: unaccentedPattern(when), unless: null };
}

/** A sign that has one of `list`, and none of the turns of phrase that make it mean something else. */
export function wordsUnless(list: string, unless: RegExp): Cue {
  return { words: unaccented(list), when: null, unless: unaccentedPattern(unless) };
}

/** A sign that has one of `list` in a turn of phrase, and none of those that make it mean something else. */
export function phraseUnless(list: string, when: RegExp, unless: RegExp): Cue {
  return { words: unaccented(list), when: unaccentedPattern(when), unless: unaccentedPattern(unless) };
}

const CODE_SPAN = /`[^`]*`/g;
const TOKEN = /[\p{L}\p{N}'%-]+|[.,;:!?()]/gu;

/** Accents are left out in haste, and on some keyboards: "estandar", "ausschliesslich". */
export function unaccented(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss');
}

/** A pattern for sentences without accents. */
export function unaccentedPattern({ source, flags }: RegExp): RegExp {
  return new RegExp(unaccented(source), flags);
}

/**
 * A sentence as cues see it: folded and without accents, code spans as the word "x" (a word in code is no word of the sentence), with one space
 * around each word and punctuation mark, and a full stop in front. So ` [.,;:!?()] ` stands before the first word of each clause.
 */
export function plain(sentence: string): string {
  const tokens = unaccented(folded(sentence.replace(CODE_SPAN, ' x '))).match(TOKEN) ?? [];
  return ` . ${tokens.join(' ')} `;
}
