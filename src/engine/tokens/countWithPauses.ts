import type { Pause, TokenCounter } from '../ports.js';

/** The longest text, in UTF-16 units, that is counted without a pause: some milliseconds for the worst one. */
const SHORT_TEXT = 16_384;

/** Counts a text. A long one is counted in parts, with a pause behind each, because a reply may have millions of characters. */
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
