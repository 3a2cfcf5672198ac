import type { Pause, TokenCounter } from '../ports.js';

/** The longest text, in UTF-16 units, that is counted without a pause: some milliseconds at worst. */
const SHORT_TEXT = 16_384;

/** Counts a text. Counts long ones in parts, with pauses, because a reply may have millions of characters. */
export async function countWithPauses(text: string, counter: TokenCounter, pause: Pause): Promise<number> {
  if (text.length <= SHORT_TEXT) {
    return counter.count(text);
  }
  let tokens = 0;
  for (const part of counter.countInParts(text)) {
    tokens += part;
    await pause();
  }
  return tokens;
}
