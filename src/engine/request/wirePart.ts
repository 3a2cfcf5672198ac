import { assertNever } from '../assertNever.js';
import type { ImagePart, Part, ToolResultContent } from '../chat/message.js';
import type { WirePart, WireResultContent } from './block.js';
import { missingResultNote, textForModel, type ResultTexts } from './resultText.js';

/**
 * A message part in its wire form: the same for a first sending and for a rebuild from the log. Null for
 * content that no provider takes: empty text and unsigned reasoning. `results` has the texts that are kept as blobs;
 * a note stands in the place of others.
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
      // Arguments that are no JSON object never ran; the wire wants an object, and the result says what was wrong.
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
  }
}

/** Its size is nothing that is sent. */
function wireImage({ blob, mimeType }: ImagePart): Extract<WirePart, { readonly type: 'image' }> {
  return { type: 'image', blob, mimeType };
}
