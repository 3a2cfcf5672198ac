import { assertNever } from '../../assertNever.js';
import type { ImagePart, Part, ToolResultContent } from '../../model/part.js';
import type { WirePart, WireResultContent } from '../../model/block.js';
import { missingResultNote, textForModel, type ResultTexts } from '../resultText.js';

/**
 * Returns the wire form of a message part, which is always the same for the same log. Null for empty text and unsigned
 * reasoning, which no provider accepts. A blob missing in `results` becomes a note.
 */
export function wirePart(part: Part, results: ResultTexts): WirePart | null {
  switch (part.type) {
    case 'text':
      return part.text.trim() === '' ? null : part;
    case 'image':
      return wireImage(part);
    case 'reasoning':
      return part.opaque === null ? null : { type: 'reasoning', text: part.text, opaque: part.opaque };
    case 'toolCall':
      // A call whose arguments are not a JSON object never ran, and its result says so. Providers need an object.
      return { type: 'toolCall', id: part.id, name: part.name, args: part.args ?? {} };
    case 'toolResult': {
      const { callId, name, isError } = part;
      const content = part.content
        .map((item) => resultContent(item, results))
        .filter((item) => item.type !== 'text' || item.text.trim() !== '');
      return { type: 'toolResult', callId, name, content, isError };
    }
    default:
      return assertNever(part);
  }
}

function resultContent(content: ToolResultContent, results: ResultTexts): WireResultContent {
  switch (content.type) {
    case 'text':
      return { type: 'text', text: textForModel(content.text) };
    case 'blob':
      return { type: 'text', text: results.get(content.blob) ?? missingResultNote(content) };
    case 'image':
      return wireImage(content);
    case 'toolReference':
      return content;
  }
}

function wireImage({ blob, mimeType }: ImagePart): Extract<WirePart, { readonly type: 'image' }> {
  return { type: 'image', blob, mimeType };
}
