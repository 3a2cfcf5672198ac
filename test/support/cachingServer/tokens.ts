/** Counts tokens. The same text always gives the same count. */
export interface TokenCounter {
  /** Tokens of a whole text. */
  count(text: string): number;
  /** Tokens of a text that are the same whatever follows it: how far a common beginning of two texts is shared. */
  countShared(text: string): number;
}

const CHARACTERS_PER_TOKEN = 4;

/** Four UTF-16 units are a token, a rest at the end of a block is one more. No real tokenizer: simple, and the same everywhere. */
export const quarterCounter: TokenCounter = {
  count: (text) => Math.ceil(text.length / CHARACTERS_PER_TOKEN),
  countShared: (text) => Math.floor(text.length / CHARACTERS_PER_TOKEN),
};

/**
 * What an image counts, whatever its size: about the most that a full-sized one costs by Anthropic's vision
 * documentation (width x height / 750 after scaling down).
 */
export const IMAGE_TOKENS = 1_600;
