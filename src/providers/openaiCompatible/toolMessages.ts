import { loadedText } from '../../engine/chat/message/message.js';
import type { Block, WireResultContent } from '../../engine/model/block.js';
import { wireId } from '../callIds.js';
import { imagePart, mark, misplaced, simplest, type CompletionsConversion } from './parts.js';
import type { WireImage, WireText, WireToolResult } from './wire.js';

/** Replaces an empty result, which some servers refuse. */
const NO_OUTPUT = '(no output)';

/** The protocol has no member for a failed tool, so the text says it. */
const FAILED = 'Error: ';

export interface ToolMessages {
  readonly messages: WireToolResult[];
  /** Images of the results, in order, for the user message after them. Tool messages accept only text. */
  readonly images: readonly WireImage[];
}

export function toolMessages(results: readonly Block[], conversion: CompletionsConversion): ToolMessages {
  const images: WireImage[] = [];
  const messages = results.map((block): WireToolResult => {
    const { part } = block;
    if (part.type !== 'toolResult') {
      throw misplaced(part, 'among tool results');
    }
    const lines = part.content.map((content) => contentText(content, images, conversion));
    const text = `${part.isError ? FAILED : ''}${lines.length === 0 ? NO_OUTPUT : lines.join('\n')}`;
    const content: WireText = { type: 'text', text, ...mark(block) };
    return { role: 'tool', tool_call_id: wireId(block.key, conversion.callIds), content: simplest([content]) };
  });
  return { messages, images };
}

/** Returns the text of a result's part. For an image, returns a note and adds the image to `images`. */
function contentText(content: WireResultContent, images: WireImage[], conversion: CompletionsConversion): string {
  if (content.type === 'toolReference') {
    return loadedText(content);
  }
  if (content.type === 'text') {
    return content.text;
  }
  if (!conversion.model.capabilities.userContentAfterToolResults) {
    return `(An image, ${content.mimeType}, is left out: it cannot be sent with a tool result to this model.)`;
  }
  images.push(imagePart(content, conversion));
  return `(An image, ${content.mimeType}: number ${images.length} of the images in the user message that follows.)`;
}
