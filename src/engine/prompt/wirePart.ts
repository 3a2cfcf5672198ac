import { assertNever } from '../assertNever.js';
import type { Part, ToolResultContent } from '../chat/message.js';
import type { WirePart, WireResultContent } from './block.js';

/**
 * A message part in its wire form: the same for a first sending and for a rebuild from the log. Null for
 * content that no provider takes: empty text and unsigned reasoning.
 */
export function wirePart(part: Part): WirePart | null {
  switch (part.type) {
    case 'text':
      return part.text.trim() === '' ? null : part;
    case 'image':
      return part;
    case 'reasoning':
      return part.opaque === null ? null : { type: 'reasoning', text: part.text, opaque: part.opaque };
    case 'toolCall':
      // Arguments that are no JSON object never ran; the wire wants an object, and the result says what was wrong.
      return { type: 'toolCall', id: part.id, name: part.name, args: part.args ?? {} };
    case 'toolResult': {
      const { callId, name, isError } = part;
      return { type: 'toolResult', callId, name, content: part.content.map(resultContent).filter(isNotEmpty), isError };
    }
    default:
      return assertNever(part);
  }
}

function isNotEmpty(content: WireResultContent): boolean {
  return content.type !== 'text' || content.text.trim() !== '';
}

function resultContent(content: ToolResultContent): WireResultContent {
  return content.type === 'blob'
    ? { type: 'text', text: `(The result of ${String(content.bytes)} bytes is kept outside the conversation.)` }
    : content;
}
