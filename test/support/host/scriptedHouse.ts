import assert from 'node:assert/strict';
import type { Usage } from '../../../src/engine/model/usage.js';
import type { ModelRef } from '../../../src/engine/model/modelRef.js';
import type { JsonObject } from '../../../src/engine/json.js';
import type { LoupeError } from '../../../src/engine/errors.js';
import type { Capabilities, ModelClient, StopReason, StreamPart } from '../../../src/engine/model/model.js';
import { loadConverter } from '../../../src/host/models/converters.js';
import { fixedSource, type ProviderSource } from '../../../src/host/models/registry.js';
import { BILLED_PRICES } from './billedModels.js';
import { PRACTICE_STANDARD } from '../../../src/providers/practice/models.js';

export type ScriptedPart =
  | { readonly text: string }
  | { readonly thought: string; readonly opaque: string | null }
  | { readonly call: string; readonly id: string; readonly args: JsonObject }
  | { readonly stops: StopReason }
  | { readonly fails: LoupeError }
  /** Billed tokens: uncached input, and output. */
  | { readonly bills: readonly [input: number, output: number] }
  /** The same with web searches. */
  | { readonly searches: readonly [input: number, output: number] }
  | { readonly after: Promise<void> }
  | 'hang';

/** A provider with two scripted models, `large` and `other`. */
export interface ScriptedHouse {
  readonly source: ProviderSource;
  readonly large: ModelRef;
  readonly other: ModelRef;
  readonly bodies: readonly string[];
  readonly replies: (readonly ScriptedPart[])[];
  /** The reply when `replies` is empty. Initially "Done." */
  otherwise: () => readonly ScriptedPart[];
}

/** Creates a house that uses the converter of `protocol`, with changed capabilities. */
export async function scriptedHouse(protocol: string, change: Partial<Capabilities>): Promise<ScriptedHouse> {
  const converter = await loadConverter(protocol);
  assert.ok(converter);
  const bodies: string[] = [];
  const replies: (readonly ScriptedPart[])[] = [];
  const scripted: Pick<ScriptedHouse, 'otherwise'> = { otherwise: () => [{ text: 'Done.' }] };
  const client: ModelClient = {
    convert: converter.convert,
    countTokens: () => Promise.reject(new Error('Nobody counts here.')),
    async *stream(_, { body }, signal) {
      bodies.push(body);
      yield* play(replies.shift() ?? scripted.otherwise(), signal);
    },
  };
  const capabilities = {
    ...PRACTICE_STANDARD.capabilities,
    ...converter.capabilities,
    countsTokens: false,
    counterIsExact: true,
    ...change,
  };
  const [large, other] = ['large', 'other'].map((model) => ({ provider: 'house', model })) as [ModelRef, ModelRef];
  const models = [large, other].map((ref) => ({
    ...PRACTICE_STANDARD,
    ref,
    protocol,
    label: ref.model,
    prices: BILLED_PRICES,
    capabilities,
  }));
  const provider = { id: 'house', label: 'House', countsTokens: false, models, loadClient: () => Promise.resolve(client) };
  return Object.assign(scripted, { source: fixedSource([provider]), large, other, bodies, replies });
}

async function* play(parts: readonly ScriptedPart[], signal: AbortSignal): AsyncGenerator<StreamPart, void, void> {
  for (const [index, part] of parts.entries()) {
    if (part === 'hang') {
      await new Promise((resolve) => {
        signal.addEventListener('abort', resolve);
      });
      return;
    }
    if ('fails' in part) {
      throw part.fails;
    } else if ('after' in part) {
      await part.after;
    } else if ('bills' in part) {
      yield { type: 'usage', usage: billed(part.bills), rawUsage: null };
    } else if ('searches' in part) {
      yield { type: 'usage', usage: { ...billed(part.searches), isMoreBilled: true }, rawUsage: null };
    } else if (!('stops' in part)) {
      yield* streamed(index, part);
    }
  }
  const isCalling = parts.some((part) => part !== 'hang' && 'call' in part);
  const stops = parts.find((part) => part !== 'hang' && 'stops' in part)?.stops;
  yield { type: 'end', stopReason: stops ?? (isCalling ? 'toolCalls' : 'end'), usage: null, rawUsage: null, responseId: null };
}

function billed([input, output]: readonly [number, number]): Usage {
  const reported = (value: number) => ({ value, source: 'reported' }) as const;
  return {
    promptTokens: reported(input),
    cacheReadInputTokens: reported(0),
    cacheCreationInputTokens: reported(0),
    cacheCreation: null,
    completionTokens: reported(output),
  };
}

function* streamed(
  index: number,
  part: Extract<ScriptedPart, { text: string } | { thought: string } | { call: string }>,
): Generator<StreamPart, void, void> {
  if ('text' in part) {
    yield { type: 'text', index, text: part.text };
  } else if ('thought' in part) {
    yield { type: 'reasoning', index, text: part.thought };
    if (part.opaque !== null) {
      yield { type: 'reasoningSigned', index, opaque: part.opaque };
    }
  } else {
    yield { type: 'toolCall', index, id: part.id, name: part.call };
    yield { type: 'toolCallArgs', index, text: JSON.stringify(part.args) };
  }
}
