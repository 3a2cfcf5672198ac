import { assertNever } from '../assertNever.js';
import { loadedText } from '../chat/message/message.js';
import type { Reply } from '../chat/message/reply.js';
import { parseForeignJson, type Json, type JsonObject } from '../json.js';
import type { WirePart, WireResultContent } from '../model/block.js';
import type { Prompt, WireMessage } from '../model/prompt.js';

/** Returns the request as attributes of the conventions for generative AI. */
export function promptAttributes({ tools, system, messages }: Prompt): JsonObject {
  return {
    'gen_ai.system_instructions': system.length === 0 ? null : system.map(({ part }) => genAiPart(part)),
    'gen_ai.tool.definitions': tools.length === 0 ? null : tools.map(({ part }) => genAiPart(part)),
    'gen_ai.input.messages': messages.flatMap(genAiMessages),
  };
}

/** Returns the reply as an attribute; null when it is empty. */
export function replyAttribute(reply: Reply, finishReason: string): Json {
  const parts = reply.flatMap((part): Json[] => {
    switch (part?.type) {
      case undefined:
        return [];
      case 'text':
        return [{ type: 'text', content: part.text }];
      case 'reasoning':
        return [{ type: 'reasoning', content: part.text }];
      case 'toolCall':
        return [{ type: 'tool_call', id: part.id, name: part.name, arguments: parseForeignJson(part.rawArgs) ?? part.rawArgs }];
      default:
        return assertNever(part);
    }
  });
  return parts.length === 0 ? null : [{ role: 'assistant', parts, finish_reason: finishReason }];
}

/** Tool results become a separate message with the role `tool`, as the conventions require. */
function genAiMessages({ role, blocks }: WireMessage): Json[] {
  const results = blocks.filter(({ part }) => part.type === 'toolResult');
  const others = blocks.filter(({ part }) => part.type !== 'toolResult');
  return [
    ...(results.length === 0 ? [] : [{ role: 'tool', parts: results.map(({ part }) => genAiPart(part)) }]),
    ...(others.length === 0 ? [] : [{ role, parts: others.map(({ part }) => genAiPart(part)) }]),
  ];
}

function genAiPart(part: WirePart): Json {
  switch (part.type) {
    case 'text':
    case 'image':
      return contentPart(part);
    case 'reasoning':
      return { type: 'reasoning', content: part.text };
    case 'toolCall':
      return { type: 'tool_call', id: part.id, name: part.name, arguments: part.args };
    case 'toolResult':
      return { type: 'tool_call_response', id: part.callId, response: resultOf(part.content) };
    case 'toolDefinition':
      return { type: 'function', name: part.name, description: part.description, parameters: part.schema };
    default:
      return assertNever(part);
  }
}

function resultOf(content: readonly WireResultContent[]): Json {
  const [first, ...more] = content;
  return first?.type === 'text' && more.length === 0 ? first.text : content.map(contentPart);
}

/** An image is only named: its bytes would repeat in each request. */
function contentPart(content: WireResultContent): Json {
  switch (content.type) {
    case 'text':
      return { type: 'text', content: content.text };
    case 'toolReference':
      return { type: 'text', content: loadedText(content) };
    case 'image':
      return { type: 'uri', modality: 'image', mime_type: content.mimeType, uri: `sha256:${content.blob}` };
  }
}
