import type { WirePart, WireResultContent } from '../../../src/engine/model/block.js';
import type { Prompt, WireMessage } from '../../../src/engine/model/prompt.js';
import { CallNumbers, dataUrl, LOADS, sortedJson, type Item } from './items.js';

type Images = ReadonlyMap<string, string>;

/** The replacement character replaces half a surrogate pair on the wire. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}

/** The content of a prompt. `system` is separate, because a protocol can join its parts. */
export interface PromptItems {
  readonly system: readonly Item[];
  readonly messages: readonly (readonly Item[])[];
}

export function promptItems(prompt: Prompt, images: Images): PromptItems {
  const numbers = new CallNumbers();
  return {
    system: prompt.system.map(({ part }) => item('system', part, numbers, images)),
    messages: prompt.messages.map((message) => messageItems(message, numbers, images)),
  };
}

function messageItems({ role, blocks }: WireMessage, numbers: CallNumbers, images: Images): Item[] {
  return blocks.map(({ part }) => item(role, part, numbers, images));
}

function item(role: string, part: WirePart, numbers: CallNumbers, images: Images): Item {
  switch (part.type) {
    case 'text':
      return { role, kind: 'text', text: wellFormed(part.text) };
    case 'image':
      return { role, kind: 'image', url: words(part, images) };
    case 'reasoning':
      return { role, kind: 'reasoning', text: wellFormed(part.text), opaque: part.opaque.replace(/^redacted:/, 'redacted ') };
    case 'toolCall':
      return { role, kind: 'call', call: numbers.call(part.id), name: part.name, args: sortedJson(part.args) };
    case 'toolResult': {
      const content = part.content.map((piece) => words(piece, images));
      return { role, kind: 'result', call: numbers.result(part.callId), failed: part.isError, content };
    }
    case 'toolDefinition':
      throw new Error('A tool definition stands among the messages.');
  }
}

function words(piece: WireResultContent, images: Images): string {
  switch (piece.type) {
    case 'text':
      return wellFormed(piece.text);
    case 'toolReference':
      return `${LOADS}${piece.name}`;
    case 'image':
      return dataUrl(piece.mimeType, images.get(piece.blob) ?? 'missing');
  }
}
