import { itemOf, type CatalogItem } from '../../../engine/context/catalogItem.js';
import { itemKey } from '../../../engine/record/item.js';
import { withoutRepeatedSections, type ShortenedRule } from '../../../engine/context/repeatedSections.js';

interface KnownRules {
  readonly rules: readonly CatalogItem[];
  readonly shortened: ReadonlyMap<string, ShortenedRule>;
}

/** The last result, by the first rule. Cached, because the preview after each key press needs it. */
const LAST = new WeakMap<CatalogItem, KnownRules>();

/** Returns the rules of a request that have sections of other rules, with pointers in place of these, by key. */
export function shortenedRules(rules: readonly CatalogItem[]): KnownRules['shortened'] {
  const [first] = rules;
  if (first === undefined) {
    return new Map();
  }
  const last = LAST.get(first);
  if (last?.rules.length === rules.length && last.rules.every((rule, at) => rule === rules[at])) {
    return last.shortened;
  }
  const texts = rules.map(({ text, ...rule }) => ({
    key: itemKey(itemOf(rule)),
    name: rule.name,
    text: text ?? '',
    isInAll: rule.include === 'always',
  }));
  const shortened = withoutRepeatedSections(texts);
  LAST.set(first, { rules, shortened });
  return shortened;
}
