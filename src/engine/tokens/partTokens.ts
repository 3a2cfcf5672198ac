import type { WirePart, WireResultContent } from '../model/block.js';
import type { Pause, TokenCounter } from '../ports.js';

/** The longest text, in UTF-16 units, that is counted without a pause: some milliseconds at worst. */
const SHORT_TEXT = 16_384;

/** Counts a text. Counts a long text in parts, with pauses, because a reply may have millions of characters. */
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

/*
 * Tokens of a wire part. All code that counts (composing, the meter, the bill of the practice model) uses these
 * functions, so that the figures are equal. Framing, which a wire format adds around parts, messages and tools, is data
 * of the model and not counted here.
 */

/** Returns the tokens of the image with this SHA-256. */
export type TokensOfImage = (blob: string) => number;

/** Returns the counted text of a part, without the signature of reasoning. Empty for an image. */
export function partText(part: WirePart): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text;
    case 'image':
      return '';
    case 'toolCall':
      return `${part.name}\n${JSON.stringify(part.args)}`;
    case 'toolResult':
      return part.content.map(resultText).join('\n');
    case 'toolDefinition':
      return `${part.name}\n${part.description}\n${JSON.stringify(part.schema)}`;
  }
}

/** Returns the tokens of a part's content: its text by `counter`, and its images by `ofImage`. */
export function partTokens(part: WirePart, counter: TokenCounter, ofImage: TokensOfImage): number {
  return counter.count(partText(part)) + imagesTokens(part, ofImage);
}

/** Does the same as `partTokens`, with pauses in a long text. Returns no promise for a short text, for speed. */
export function partTokensWithPauses(
  part: WirePart,
  counter: TokenCounter,
  ofImage: TokensOfImage,
  pause: Pause,
): number | Promise<number> {
  const [text, ofImages] = [partText(part), imagesTokens(part, ofImage)];
  return text.length <= SHORT_TEXT
    ? counter.count(text) + ofImages
    : countWithPauses(text, counter, pause).then((tokens) => tokens + ofImages);
}

/** Returns the counted text of a result. A tool reference has no text; the loaded definition is counted. */
function resultText(content: WireResultContent): string {
  return content.type === 'text' ? content.text : '';
}

function imagesTokens(part: WirePart, ofImage: TokensOfImage): number {
  const content = part.type === 'toolResult' ? part.content : [part];
  return content.reduce((sum, item) => sum + (item.type === 'image' ? ofImage(item.blob) : 0), 0);
}
