import type { AssistantMessage, ToolResultsMessage, UserMessage } from '../../../src/engine/chat/message/message.js';
import type {
  AssistantPart,
  ImagePart,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolResultContent,
  ToolResultPart,
  UserPart,
} from '../../../src/engine/model/part.js';
import type { JsonObject } from '../../../src/engine/json.js';
import { OPEN_MODEL } from './models.js';

export function text(content: string): TextPart {
  return { type: 'text', text: content };
}

export function image(blob: string): ImagePart {
  return { type: 'image', blob, mimeType: 'image/png', bytes: 4, width: null, height: null };
}

export function reasoning(content: string, opaque: string | null): ReasoningPart {
  return { type: 'reasoning', text: content, opaque, protocol: OPEN_MODEL.protocol, model: OPEN_MODEL.ref.model };
}

export function call(id: string, args: JsonObject | null): ToolCallPart {
  return { type: 'toolCall', id, name: 'read', rawArgs: args === null ? '{"pa' : JSON.stringify(args), args };
}

export function result(callId: string, ...content: ToolResultContent[]): ToolResultPart {
  return { type: 'toolResult', callId, name: 'read', content, isError: false, synthetic: false };
}

export function user(id: string, ...parts: (string | UserPart)[]): UserMessage {
  return { role: 'user', id, parts: parts.map((part) => (typeof part === 'string' ? text(part) : part)), author: null };
}

export function assistant(id: string, ...parts: (string | AssistantPart)[]): AssistantMessage {
  return {
    role: 'assistant',
    id,
    parts: parts.map((part) => (typeof part === 'string' ? text(part) : part)),
    attemptId: `attempt-of-${id}`,
    cacheControlIndex: null,
    stopped: false,
  };
}

export function results(id: string, ...parts: ToolResultPart[]): ToolResultsMessage {
  return { role: 'tool-results', id, parts };
}
