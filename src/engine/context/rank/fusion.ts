import { byScore, type Score } from './lexical.js';

/**
 * The highest score from meaning alone. It is above the usual minimum (0.30), so that the item is picked, and below the
 * score from which items are picked beyond the usual number (0.70), which needs words as well.
 */
const MEANING = 0.5;

/**
 * Combines two scores into one from 0 to 1: the doubts of both are multiplied (noisy or: Pearl 1988). The result rises
 * with each score and is never below the score of the words. It does not depend on other items, so a minimum works for
 * it. Reciprocal rank fusion has no such minimum, and a weighted sum would lower the score of the words.
 */
export function fusedScore(words: number, meaning: number): number {
  return 1 - (1 - words) * (1 - MEANING * meaning);
}

/** Ranks the items by both scores, the best first, at most `most`. A missing score counts as 0. */
export function fuse(words: readonly Score[], meaning: readonly Score[], most: number): Score[] {
  const byWords = new Map(words.map(({ key, score }) => [key, score]));
  const byMeaning = new Map(meaning.map(({ key, score }) => [key, score]));
  return [...new Set([...byWords.keys(), ...byMeaning.keys()])]
    .map((key) => ({ key, score: fusedScore(byWords.get(key) ?? 0, byMeaning.get(key) ?? 0) }))
    .filter(({ score }) => score > 0)
    .sort(byScore)
    .slice(0, most);
}
