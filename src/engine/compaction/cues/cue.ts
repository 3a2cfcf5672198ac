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
  return { words: list, when: null, unless: null };
}

/** A sign that has one of `list`, and a turn of phrase around it. */
export function phrase(list: string, when: RegExp): Cue {
  return { words: list, when, unless: null };
}

/** A sign that has one of `list`, and none of the turns of phrase that make it mean something else. */
export function wordsUnless(list: string, unless: RegExp): Cue {
  return { words: list, when: null, unless };
}

const CODE_SPAN = /`[^`]*`/g;
const TOKEN = /[\p{L}\p{N}'%-]+|[.,;:!?()]/gu;

/**
 * A sentence as cues see it: folded, code spans as the word "x" (a word in code is no word of the sentence), with one space
 * around each word and punctuation mark, and a full stop in front. So ` [.,;:!?()] ` stands before the first word of each clause.
 */
export function plain(sentence: string): string {
  const tokens = folded(sentence.replace(CODE_SPAN, ' x ')).match(TOKEN) ?? [];
  return ` . ${tokens.join(' ')} `;
}
