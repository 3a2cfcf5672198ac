export interface TokenCounter {
  count(text: string): number;
  /** Tokens that do not depend on the following text: what two texts with this common beginning share. */
  countShared(text: string): number;
}

const CHARACTERS_PER_TOKEN = 4;

/** Four UTF-16 units are a token, rounded up per block. Simple and deterministic, no real tokenizer. */
export const quarterCounter: TokenCounter = {
  count: (text) => Math.ceil(text.length / CHARACTERS_PER_TOKEN),
  countShared: (text) => Math.floor(text.length / CHARACTERS_PER_TOKEN),
};

/** Tokens of an image: about the most in Anthropic's vision documentation (width x height / 750, scaled down). */
export const IMAGE_TOKENS = 1_600;
