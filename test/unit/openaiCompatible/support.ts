import type { Ttl } from '../../../src/engine/model/cacheRules.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Stream } from 'openai/streaming';
import type { Block, BlockRole, WirePart } from '../../../src/engine/model/block.js';
import type { Prompt } from '../../../src/engine/model/prompt.js';
import type { Capabilities, Model, StreamPart } from '../../../src/engine/model/model.js';
import { OPENAI_COMPATIBLE_CAPABILITIES, OPENAI_COMPATIBLE_PROTOCOL } from '../../../src/providers/openaiCompatible/defaults.js';
import { CompletionsReplyReader } from '../../../src/providers/openaiCompatible/stream.js';
import { root } from '../../support/paths.mjs';
import { conversationBlock } from '../../support/engine/blocks.js';

export const MODEL: Model = {
  ref: { provider: 'house', model: 'house/large' },
  label: 'Large',
  protocol: OPENAI_COMPATIBLE_PROTOCOL,
  maxInputTokens: null,
  maxOutputTokens: null,
  prices: null,
  capabilities: OPENAI_COMPATIBLE_CAPABILITIES,
  extraBody: {},
};

export function modelWith(change: Partial<Capabilities>): Model {
  return { ...MODEL, capabilities: { ...MODEL.capabilities, ...change } };
}

export function block(role: BlockRole, part: WirePart, ttl: Ttl | null): Block {
  // A part can occur twice in a prompt. Its kind separates a call from its result.
  return conversationBlock(JSON.stringify(part), role, part, ttl);
}

export const EMPTY_PROMPT: Prompt = { tools: [], system: [], messages: [] };

export function fixture(name: string): Buffer<ArrayBuffer> {
  return readFileSync(join(root, 'test/fixtures/openaiCompatible', `${name}.sse`));
}

/** The parts of a recorded stream, from the SDK's own event reader and ours. */
export async function partsOf(events: string | Uint8Array<ArrayBuffer>, model: Model): Promise<StreamPart[]> {
  const reader = new CompletionsReplyReader(model);
  const parts: StreamPart[] = [];
  for await (const chunk of Stream.fromSSEResponse<unknown>(new Response(events), new AbortController())) {
    parts.push(...reader.take(chunk));
  }
  return [...parts, ...reader.end()];
}

export function answererOf(recorded: Uint8Array): Model {
  const named = [
    ...Buffer.from(recorded)
      .toString('utf8')
      .matchAll(/"model": ?"([^"]+)"/g),
  ];
  const model = named.at(-1)?.[1];
  return model === undefined ? MODEL : { ...MODEL, ref: { ...MODEL.ref, model } };
}

/** A stream of these deltas of the first choice. Null: no finish reason. */
export function deltas(finishReason: string | null, ...items: readonly object[]): string {
  const choices = items.map((delta) => ({ index: 0, delta, finish_reason: null as string | null }));
  const last = finishReason === null ? [] : [{ index: 0, delta: {}, finish_reason: finishReason }];
  return events(...[...choices, ...last].map((choice) => ({ id: 'reply', choices: [choice] })));
}

export function events(...chunks: readonly object[]): string {
  return `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`;
}

/** The parts of a reply as text: calls as `id name(arguments)`. */
export function summary(parts: readonly StreamPart[]): string[] {
  const reply: string[] = [];
  for (const part of parts) {
    if (part.type === 'toolCall') {
      reply[part.index] = `${part.id} ${part.name}()`;
    } else if (part.type === 'toolCallArgs') {
      reply[part.index] = `${(reply[part.index] ?? '?()').slice(0, -1)}${part.text})`;
    } else if (part.type === 'text' || part.type === 'reasoning') {
      const known = reply[part.index] ?? `${part.type}: `;
      reply[part.index] = `${part.type === 'reasoning' ? known.replace(/^text: /, 'reasoning: ') : known}${part.text}`;
    } else if (part.type === 'reasoningSigned') {
      reply[part.index] = `${reply[part.index] ?? '?'} [${part.opaque}]`;
    }
  }
  return reply;
}

export function endOf(parts: readonly StreamPart[]): Extract<StreamPart, { type: 'end' }> | null {
  const last = parts.at(-1);
  return last?.type === 'end' ? last : null;
}
