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

/**
 * Tokens of one image, rounded up. Providers scale an image down to about 1.15 megapixels and bill about width x height
 * / 750 of the result. So a usual image costs at most 1,600.
 */
export const IMAGE_TOKENS = 1_600;

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

/** Returns the tokens of a part's content by `counter`: its text, and a fixed count for each image. */
export function partTokens(part: WirePart, counter: TokenCounter): number {
  return counter.count(partText(part)) + imageCount(part) * IMAGE_TOKENS;
}

/** Does the same as `partTokens`, with pauses in a long text. */
export async function partTokensWithPauses(part: WirePart, counter: TokenCounter, pause: Pause): Promise<number> {
  return (await countWithPauses(partText(part), counter, pause)) + imageCount(part) * IMAGE_TOKENS;
}

/** Returns the counted text of a result. A tool reference has no text; the loaded definition is counted. */
function resultText(content: WireResultContent): string {
  return content.type === 'text' ? content.text : '';
}

function imageCount(part: WirePart): number {
  if (part.type === 'image') {
    return 1;
  }
  return part.type === 'toolResult' ? part.content.filter((content) => content.type === 'image').length : 0;
}
