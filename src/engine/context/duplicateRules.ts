import type { CatalogItem } from './catalogItem.js';

/** So many words in a row are seldom the same by chance. */
const SHINGLE = 5;

/** The share of a rule's shingles from which it is called a duplicate: most of it. */
const DUPLICATE = 0.5;

type Rule = Pick<CatalogItem, 'source' | 'text'>;

/** Another file that holds the text of a rule, or most of it. */
export interface DuplicateRule {
  /** What it holds, in a sentence. */
  readonly text: string;
  /** Its path. */
  readonly source: string;
}

/** Those of `others` that hold the text of the rule, or most of it. */
export function duplicatesOf(rule: Rule, others: readonly Rule[]): readonly DuplicateRule[] {
  const shingles = shinglesOf(rule.text ?? '');
  return others.flatMap(({ source, text }) => {
    const theirs = shinglesOf(text ?? '');
    const common = [...shingles].filter((each) => theirs.has(each)).length;
    const isDuplicate = source !== rule.source && common > 0 && common >= shingles.size * DUPLICATE;
    return isDuplicate ? [{ text: `${common === shingles.size ? 'All' : 'Most'} of it also stands in ${source}.`, source }] : [];
  });
}

/** All runs of `SHINGLE` words; a shorter text is one. */
function shinglesOf(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const count = Math.max(words.length === 0 ? 0 : 1, words.length - SHINGLE + 1);
  return new Set(Array.from({ length: count }, (_, at) => words.slice(at, at + SHINGLE).join(' ')));
}
