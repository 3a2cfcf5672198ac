import type { CatalogItem } from './catalogItem.js';
import { wordsOf } from './rank/words.js';

/*
 * What two rules have in common, and where they plainly say the opposite. It is pointed at and never resolved: the model gets both.
 */

/** So many words in a row are seldom the same by chance. */
const SHINGLE = 5;

/** The share of a rule's shingles from which it is called a duplicate: most of it. */
const DUPLICATE = 0.5;

/** Sentences with fewer words in common say too little to be opposites. */
const LEAST_COMMON = 2;

type Rule = Pick<CatalogItem, 'source' | 'text'>;

/** A rule that says the same as another, or the opposite. */
export interface RuleConflict {
  readonly text: string;
  /** The path of the other. */
  readonly source: string;
}

/** What is to be said of a rule beside others: where most of it also stands, and what says the opposite of it. */
export function ruleConflicts(rule: Rule, others: readonly Rule[]): readonly RuleConflict[] {
  const shingles = shinglesOf(rule.text ?? '');
  const demands = demandsOf(rule.text ?? '');
  return others
    .filter(({ source }) => source !== rule.source)
    .flatMap((other) => [...duplicateOf(shingles, other), ...oppositesOf(demands, other)].map((text) => ({ text, source: other.source })));
}

function duplicateOf(shingles: ReadonlySet<string>, { source, text }: Rule): readonly string[] {
  const theirs = shinglesOf(text ?? '');
  const common = [...shingles].filter((each) => theirs.has(each)).length;
  if (common === 0 || common < shingles.size * DUPLICATE) {
    return [];
  }
  return [`${common === shingles.size ? 'All' : 'Most'} of it also stands in ${source}.`];
}

/** All runs of `SHINGLE` words; a shorter text is one. */
function shinglesOf(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const count = Math.max(words.length === 0 ? 0 : 1, words.length - SHINGLE + 1);
  return new Set(Array.from({ length: count }, (_, at) => words.slice(at, at + SHINGLE).join(' ')));
}

interface Demand {
  readonly sentence: string;
  readonly isForbidden: boolean;
  /** What it is about, in the order of the alphabet. */
  readonly about: string;
}

const FORBIDS = /\b(?:never|must not|mustn't|do not|don't|avoid|no)\b/i;
const WANTS = /\b(?:must|always|use|prefer|should|indent)\b/i;
/** What makes a sentence a demand is not what it is about. */
const FRAME = new Set(['must', 'never', 'always', 'use', 'prefer', 'should', 'avoid', 'indent', 'no', 'not', 'please']);

/** The sentences and lines that want or forbid something. */
function demandsOf(text: string): readonly Demand[] {
  return text.split(/\n+|(?<=[.!?])\s+/).flatMap((line): Demand[] => {
    const sentence = line.replace(/^[\s>*#+-]+|\s+$/g, '').replace(/[.!]$/, '');
    const isForbidden = FORBIDS.test(sentence);
    const about = [...new Set(wordsOf(sentence).filter((word) => !FRAME.has(word)))].sort();
    return isForbidden || WANTS.test(sentence) ? [{ sentence, isForbidden, about: about.join(' ') }] : [];
  });
}

function oppositesOf(demands: readonly Demand[], { source, text }: Rule): readonly string[] {
  const theirs = demandsOf(text ?? '');
  return demands.flatMap((demand) =>
    theirs.filter((their) => isOpposite(demand, their)).map((their) => `The opposite stands in ${source}: "${their.sentence}".`),
  );
}

function isOpposite(one: Demand, other: Demand): boolean {
  if (one.isForbidden !== other.isForbidden) {
    return one.about === other.about && one.about.split(' ').length >= LEAST_COMMON;
  }
  return (
    !one.isForbidden &&
    indentation(one.about) !== null &&
    indentation(other.about) !== null &&
    indentation(one.about) !== indentation(other.about)
  );
}

/** What is used to indent; null for a demand about something else, or about both. */
function indentation(about: string): 'tabs' | 'spaces' | null {
  const words = about.split(' ');
  const [tabs, spaces] = [words.includes('tabs'), words.includes('spaces')];
  return tabs === spaces ? null : tabs ? 'tabs' : 'spaces';
}
