import { stemmer } from 'stemmer';
import { defaultConfig } from '../../../src/engine/chat/settings/configValues.js';
import { LexicalIndex, type RankedTexts, type Score } from '../../../src/engine/context/rank/lexical.js';
import { MESSAGE_BACKGROUND } from '../../../src/engine/context/rank/words.js';
import { pickLimits } from '../../../src/engine/context/select.js';
import { PRACTICE_STANDARD } from '../../../src/providers/practice/models.js';
import type { Labelled } from './labelledSet.js';

/** Ranks items for a message, the best first. */
export type Rank = (message: string) => readonly Score[];

export const TOP = 3;

/** The limits of a new chat. */
export const LIMITS = pickLimits(defaultConfig(PRACTICE_STANDARD.ref));

export function byWords(items: readonly RankedTexts[], most: number): Rank {
  const index = new LexicalIndex(stemmer, MESSAGE_BACKGROUND);
  for (const item of items) {
    index.put(item);
  }
  return (message) => index.rank(message, most);
}

/** The share of wanted items among the first three, as a mean over messages that want some. */
export function recall(rank: Rank, messages: readonly Labelled[]): number {
  const wanting = messages.filter(({ wants }) => wants.length > 0);
  const shares = wanting.map(({ text, wants }) => {
    const top = new Set(
      rank(text)
        .slice(0, TOP)
        .map(({ key }) => key),
    );
    return wants.filter((key) => top.has(key)).length / wants.length;
  });
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

/** Returns the keys of the items that Loupe picks for a message. */
export function pickedFor(rank: Rank, message: string): readonly string[] {
  const { minimum, most } = LIMITS;
  return rank(message)
    .filter(({ score }, at) => score >= minimum && at < most)
    .map(({ key }) => key);
}

export function pickedShares(rank: Rank, messages: readonly Labelled[]): { readonly rightlyNone: number; readonly wanted: number } {
  const [about, other] = [messages.filter(({ wants }) => wants.length > 0), messages.filter(({ wants }) => wants.length === 0)];
  return {
    rightlyNone: other.filter(({ text }) => pickedFor(rank, text).length === 0).length / other.length,
    wanted: about.filter(({ text, wants }) => pickedFor(rank, text).some((key) => wants.includes(key))).length / about.length,
  };
}
