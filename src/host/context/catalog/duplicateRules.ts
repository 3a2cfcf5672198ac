import { setImmediate } from 'node:timers/promises';
import type { Catalog, CatalogItem } from '../../../engine/context/catalogItem.js';
import type { DuplicateRuleView } from '../../../protocol/panel/manager.js';

/** Number of words in a shingle: consecutive words to compare. Five equal words rarely occur by chance. */
const SHINGLE = 5;

/** Minimum share of a rule's shingles that another rule must contain, so that the rule is a duplicate. */
const DUPLICATE = 0.5;

type Rule = Pick<CatalogItem, 'source' | 'text'>;

/** Number of rules to compare without a pause. Even with several pages each, this takes a few milliseconds. */
const COMPARED_AT_ONCE = 20;

/** Maximum number of duplicates to show for a rule. More duplicates would hide the rule. */
const MOST_DUPLICATES = 3;

export async function findDuplicates(item: CatalogItem, catalog: Catalog): Promise<readonly DuplicateRuleView[]> {
  const all = [...catalog.values()];
  const found: DuplicateRuleView[] = [];
  for (let from = 0; from < all.length && found.length < MOST_DUPLICATES; from += COMPARED_AT_ONCE) {
    found.push(...duplicatesOf(item, all.slice(from, from + COMPARED_AT_ONCE)));
    await setImmediate();
  }
  return found.slice(0, MOST_DUPLICATES);
}

/** Returns the rules of `others` that contain at least half of the text of `rule`. */
export function duplicatesOf(rule: Rule, others: readonly Rule[]): readonly DuplicateRuleView[] {
  const shingles = shinglesOf(rule.text ?? '');
  return others.flatMap(({ source, text }) => {
    const theirs = shinglesOf(text ?? '');
    const common = [...shingles].filter((each) => theirs.has(each)).length;
    const isDuplicate = source !== rule.source && common > 0 && common >= shingles.size * DUPLICATE;
    return isDuplicate ? [{ text: `${common === shingles.size ? 'All' : 'Most'} of this file is also in ${source}.`, source }] : [];
  });
}

/** Returns all sequences of `SHINGLE` words. A shorter text is one sequence. */
function shinglesOf(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const count = Math.max(words.length === 0 ? 0 : 1, words.length - SHINGLE + 1);
  return new Set(Array.from({ length: count }, (_, at) => words.slice(at, at + SHINGLE).join(' ')));
}
