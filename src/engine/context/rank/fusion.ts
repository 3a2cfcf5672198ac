import { byScore, type Score } from './lexical.js';

/**
 * Maximum score of an item that shares no word with the message and fits it only by meaning. It is above the default
 * minimum (0.30), so that Loupe can pick the item. It is below the default score for picks beyond the usual number
 * (0.70).
 */
const MEANING = 0.5;

/**
 * Combines two scores into one from 0 to 1: the distances of `words` and `MEANING * meaning` to 1 are multiplied (noisy
 * or: Pearl 1988). The result rises with each score and is never below `words`. It does not depend on other items, so a
 * fixed minimum works. Reciprocal rank fusion allows no such minimum, and a weighted sum would lower the word score.
 */
export function fusedScore(words: number, meaning: number): number {
  return 1 - (1 - words) * (1 - MEANING * meaning);
}

/** Ranks the items by both scores, the best first. Returns at most `most` items. A missing score counts as 0. */
export function fuse(words: readonly Score[], meaning: readonly Score[], most: number): Score[] {
  const byWords = new Map(words.map(({ key, score }) => [key, score]));
  const byMeaning = new Map(meaning.map(({ key, score }) => [key, score]));
  return [...new Set([...byWords.keys(), ...byMeaning.keys()])]
    .map((key) => ({ key, score: fusedScore(byWords.get(key) ?? 0, byMeaning.get(key) ?? 0) }))
    .filter(({ score }) => score > 0)
    .sort(byScore)
    .slice(0, most);
}
