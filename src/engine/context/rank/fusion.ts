import { byScore, type Score } from './lexical.js';

/**
 * What meaning alone can bring an item to: over the usual minimum (0.30), so that it is picked, and below the score from which it would be
 * picked beyond the usual number (0.70), which takes words, too.
 */
const MEANING = 0.5;

/**
 * One score of two, from 0 to 1: words and meaning are two witnesses of the same, so what is left of the doubt is the product of both
 * doubts (noisy or: Pearl 1988). It rises with each, an item never fits worse than its words do, and the score depends
 * neither on the other items nor on their number, so that a minimum holds for it. Ranks in two lists (reciprocal rank fusion) have no such
 * minimum; a weighted sum takes away from what words have found.
 */
export function fusedScore(words: number, meaning: number): number {
  return 1 - (1 - words) * (1 - MEANING * meaning);
}

/** The items by both scores, the best first, at most `most`. Those that only one list names have 0 in the other. */
export function fuse(words: readonly Score[], meaning: readonly Score[], most: number): Score[] {
  const byWords = new Map(words.map(({ key, score }) => [key, score]));
  const byMeaning = new Map(meaning.map(({ key, score }) => [key, score]));
  return [...new Set([...byWords.keys(), ...byMeaning.keys()])]
    .map((key) => ({ key, score: fusedScore(byWords.get(key) ?? 0, byMeaning.get(key) ?? 0) }))
    .filter(({ score }) => score > 0)
    .sort(byScore)
    .slice(0, most);
}
