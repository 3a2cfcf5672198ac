import { failure, type LoupeError } from '../../engine/errors.js';
import type { Block, WirePart, WireResultContent } from '../../engine/request/block.js';
import type { Prompt, WireMessage } from '../../engine/request/prompt.js';
import type { ConvertedFor, RequestParams, WireRequest } from '../../engine/run/model.js';
import type {
  PracticeImage,
  PracticeMessage,
  PracticeRequest,
  PracticeText,
  PracticeTool,
  PracticeToolCall,
  PracticeToolResult,
} from './wire.js';

/** Changes whenever the same prompt would give other bytes. */
export const CONVERTER_VERSION = 'practice/1';

/**
 * A prompt in the practice model's wire format. Pure, and one wire message for each message of the prompt: the
 * same prompt and parameters give the same bytes. What the format has no place for is an error (`protocol`),
 * never left out.
 */
export function convert(model: ConvertedFor, prompt: Prompt, params: RequestParams): WireRequest {
  const request: PracticeRequest = {
    ...params.extraBody,
    model: model.ref.model,
    max_tokens: params.maxOutputTokens,
    tools: prompt.tools.map(tool),
    system: prompt.system.map(systemText),
    messages: prompt.messages.map(message),
  };
  return { body: JSON.stringify(request), converterVersion: CONVERTER_VERSION };
}

function tool(block: Block): PracticeTool {
  const { part } = block;
  if (part.type !== 'toolDefinition') {
    throw misplaced(part, 'among the tools');
  }
  return { name: part.name, description: part.description, schema: part.schema, ...mark(block) };
}

function systemText(block: Block): PracticeText {
  if (block.part.type !== 'text') {
    throw misplaced(block.part, 'in the system prompt');
  }
  return { type: 'text', text: block.part.text, ...mark(block) };
}

/** A user's turn that starts with tool results is of the role `tool` here, and holds nothing else. */
function message({ role, blocks }: WireMessage): PracticeMessage {
  if (role === 'assistant') {
    return { role, content: blocks.map(assistantPart) };
  }
  if (blocks[0]?.part.type === 'toolResult') {
    return { role: 'tool', content: blocks.map(resultPart) };
  }
  return { role, content: blocks.map(userPart) };
}

function userPart(block: Block): PracticeText | PracticeImage {
  const { part } = block;
  if (part.type !== 'text' && part.type !== 'image') {
    throw misplaced(part, 'in a user message');
  }
  return { ...textOrImage(part), ...mark(block) };
}

function assistantPart(block: Block): PracticeText | PracticeToolCall {
  const { part } = block;
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text, ...mark(block) };
    case 'toolCall':
      return { type: 'tool_call', id: part.id, name: part.name, args: part.args, ...mark(block) };
    default:
      throw misplaced(part, 'in an assistant message');
  }
}

function resultPart(block: Block): PracticeToolResult {
  const { part } = block;
  if (part.type !== 'toolResult') {
    throw misplaced(part, 'beside tool results');
  }
  return {
    type: 'tool_result',
    call_id: part.callId,
    name: part.name,
    content: part.content.map(textOrImage),
    is_error: part.isError,
    ...mark(block),
  };
}

function textOrImage(content: WireResultContent): PracticeText | PracticeImage {
  return content.type === 'text'
    ? { type: 'text', text: content.text }
    : { type: 'image', sha256: content.blob, mime_type: content.mimeType };
}

function mark({ breakpoint }: Block): { cache?: '5m' | '1h' } {
  return breakpoint === null ? {} : { cache: breakpoint.ttl };
}

function misplaced(part: WirePart, where: string): LoupeError {
  return failure('request.misplacedPart', { format: "The practice model's wire format", part: part.type, where });
}
