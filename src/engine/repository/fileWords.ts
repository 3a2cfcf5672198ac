import { wordsOf, type Stem } from '../context/rank/words.js';
import { isTest } from './referenceGraph.js';

/*
 * The words of a source file, by which messages find it: those of its names, comments and texts. Scored by BM25
 * (Robertson and Zaragoza 2009) with its usual parameters.
 */

/** Number of words of a file. Half of the files have fewer. Rare words of a long file are seldom what it is about. */
const MOST_WORDS = 150;

/** Longer words are data, such as keys and hashes. */
const LONGEST_WORD = 30;

/** A word in the path of a file counts as often as this in its text. */
const IN_PATH = 3;

/** How fast more uses of a word stop to matter, and how much long files lose. */
const [SATURATION, LENGTH] = [1.2, 0.75];

/** Words of a usual file. A constant, because the average of a project changes with each file. */
const USUAL_WORDS = 700;

/** Tests use the words of all that they test. */
const OF_TESTS = 0.5;

/** Returns the most frequent stems with their counts, such as `retri 12 delai 3`. A short form, to store. */
export function fileWords(text: string, stem: Stem): string {
  const counts = new Map<string, number>();
  for (const word of wordsOf(text)) {
    if (word.length <= LONGEST_WORD) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  const stems = new Map<string, number>();
  for (const [word, count] of counts) {
    const found = stem(word);
    stems.set(found, (stems.get(found) ?? 0) + count);
  }
  return [...stems]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST_WORDS)
    .flat()
    .join(' ');
}

/** Returns the share of each word's weight that a file gets, from 0 to 1. `words`: from `fileWords`. */
export function wordShares(path: string, words: string, stem: Stem): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const parts = words.split(' ');
  for (let at = 1; at < parts.length; at += 2) {
    counts.set(parts[at - 1] ?? '', Number(parts[at]));
  }
  const length = [...counts.values()].reduce((sum, count) => sum + count, 0);
  for (const word of wordsOf(path).map(stem)) {
    counts.set(word, (counts.get(word) ?? 0) + IN_PATH);
  }
  const least = SATURATION * (1 - LENGTH + (LENGTH * length) / USUAL_WORDS);
  const factor = isTest(path) ? OF_TESTS : 1;
  return new Map([...counts].map(([found, count]) => [found, (factor * count) / (count + least)]));
}
