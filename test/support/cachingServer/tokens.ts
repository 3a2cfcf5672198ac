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

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Edge in pixels of the square that costs one token, in Anthropic's vision documentation. */
const PATCH = 28;

/** Tokens of an image in Base64: one for each square of a small PNG, otherwise `IMAGE_TOKENS`. */
export function imageTokens(base64: string): number {
  const header = Buffer.from(base64.slice(0, 32), 'base64');
  if (header.length < 24 || !header.subarray(0, PNG.length).equals(PNG)) {
    return IMAGE_TOKENS;
  }
  const patches = Math.ceil(header.readUInt32BE(16) / PATCH) * Math.ceil(header.readUInt32BE(20) / PATCH);
  return Math.min(patches, IMAGE_TOKENS);
}
