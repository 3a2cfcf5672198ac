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

/** What a scripted model says next, part by part. */
export type ScriptedPart =
  | { readonly text: string }
  | { readonly thought: string; readonly opaque: string | null }
  | { readonly call: string; readonly id: string; readonly args: JsonObject }
  /** What it says last, instead of why a model mostly ends. */
  | { readonly stops: StopReason }
  | { readonly fails: LoupeError }
  /** Tokens that it bills: fresh input, and output. */
  | { readonly bills: readonly [input: number, output: number] }
  /** The same, and searches beside the tokens. */
  | { readonly searches: readonly [input: number, output: number] }
  /** Goes on when this resolves. */
  | { readonly after: Promise<void> }
  /** Says nothing more until it is stopped. */
  | 'hang';

/** A provider with two models, `large` and `other`, that say what they are told to. */
export interface ScriptedHouse {
  readonly source: ProviderSource;
  readonly large: ModelRef;
  readonly other: ModelRef;
  /** The bodies that reached it. */
  readonly bodies: readonly string[];
  /** The replies to the next requests, one each. */
  readonly replies: (readonly ScriptedPart[])[];
  /** The reply to a request for which `replies` has none: at first "Done." */
  otherwise: () => readonly ScriptedPart[];
}

/** A house whose models speak `protocol` as its converter has it, with what it can do otherwise changed. */
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
