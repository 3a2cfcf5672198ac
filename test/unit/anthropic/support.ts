import { readFileSync } from 'node:fs';
import type { Figure } from '../../../src/engine/model/usage.js';
import type { Block, BlockRole, WirePart } from '../../../src/engine/model/block.js';
import type { Prompt, WireMessage } from '../../../src/engine/model/prompt.js';
import type { Model, RequestParams } from '../../../src/engine/model/model.js';
import { ANTHROPIC_CAPABILITIES, ANTHROPIC_PROTOCOL } from '../../../src/providers/anthropic/defaults.js';
import { conversationBlock } from '../../support/engine/blocks.js';

/** Relative to the repository, where the tests run. */
const RECORDINGS = 'test/fixtures/anthropic';

export const RECORDING_NAMES = [
  'thinking-and-text',
  'parallel-tools',
  'redacted-thinking',
  'server-tool-and-unknown',
  'error-event',
  'short',
] as const;

export function recording(name: (typeof RECORDING_NAMES)[number]): Buffer {
  return readFileSync(`${RECORDINGS}/${name}.sse`);
}

/** Reads the events of a recorded reply, without comments and error events, which the SDK handles. */
export function recordedEvents(name: (typeof RECORDING_NAMES)[number]): unknown[] {
  const events = recording(name).toString('utf8').split('\n\n');
  const data = events.flatMap((event) => event.split('\n').filter((line) => line.startsWith('data: ')));
  return data.map((line) => JSON.parse(line.slice('data: '.length)) as { type: string }).filter(({ type }) => type !== 'error');
}

export const reported = (value: number): Figure => ({ value, source: 'reported' });

export const MODEL: Model = {
  ref: { provider: 'house', model: 'claude-test' },
  label: 'Test',
  protocol: ANTHROPIC_PROTOCOL,
  maxInputTokens: 200_000,
  maxOutputTokens: 32_000,
  prices: null,
  capabilities: ANTHROPIC_CAPABILITIES,
  extraBody: {},
};

export const PARAMS: RequestParams = { maxOutputTokens: 100, extraBody: {} };
export const EMPTY: Prompt = { tools: [], system: [], messages: [] };

/** A block with a unique key for its content. */
export function block(role: BlockRole, part: WirePart, ttl: '5m' | '1h' | null): Block {
  return conversationBlock(`${role}:${JSON.stringify(part)}`, role, part, ttl);
}

export function text(words: string): { readonly type: 'text'; readonly text: string } {
  return { type: 'text', text: words };
}

export function call(id: string, name: string): WirePart {
  return { type: 'toolCall', id, name, args: { path: id } };
}

export function result(callId: string, name: string): WirePart {
  return { type: 'toolResult', callId, name, content: [text(`result of ${callId}`)], isError: false };
}

export function definition(name: string): WirePart {
  return { type: 'toolDefinition', name, description: 'Reads.', schema: { type: 'object', properties: {} }, isRetired: false };
}

export const THOUGHT: WirePart = { type: 'reasoning', text: 'Hm.', opaque: 'signed' };

export function user(...parts: WirePart[]): WireMessage {
  return { role: 'user', blocks: parts.map((part) => block(part.type === 'toolResult' ? 'tool-results' : 'user', part, null)) };
}

export function assistant(...parts: WirePart[]): WireMessage {
  return { role: 'assistant', blocks: parts.map((part) => block('assistant', part, null)) };
}
