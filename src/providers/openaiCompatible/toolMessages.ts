import type { Block, WireResultContent } from '../../engine/request/block.js';
import { wireId } from '../callIds.js';
import { imagePart, mark, misplaced, simplest, type Conversion } from './parts.js';
import type { WireImage, WireText, WireToolResult } from './wire.js';

/** Stands for a result without content: some servers refuse an empty one. */
const NO_OUTPUT = '(no output)';

/** The protocol cannot say that a tool failed, so the text does. */
const FAILED = 'Error: ';

export interface ToolMessages {
  readonly messages: WireToolResult[];
  /** The images of the results, in order: they stand in the user message behind, as tool messages take text only. */
  readonly images: readonly WireImage[];
}

/** One message for each result, in their order. */
export function toolMessages(results: readonly Block[], conversion: Conversion): ToolMessages {
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

/** The text of a piece of a result; of an image a note, and the image itself goes to `images`. */
function contentText(content: WireResultContent, images: WireImage[], conversion: Conversion): string {
  if (content.type === 'text') {
    return content.text;
  }
  if (!conversion.model.capabilities.userContentAfterToolResults) {
    return `(An image, ${content.mimeType}, is left out: it cannot be sent with a tool result to this model.)`;
  }
  images.push(imagePart(content, conversion));
  return `(An image, ${content.mimeType}: number ${images.length} of the images in the user message that follows.)`;
}
