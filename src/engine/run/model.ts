import type { Prices } from '../accounting/price.js';
import type { Usage } from '../accounting/usage.js';
import type { ModelRef } from '../chat/config.js';
import type { Json } from '../json.js';
import type { Prompt } from '../prompt/block.js';

/** Tokens a wire format adds around the content: data of the model, so that counts agree with the bill. */
export interface Framing {
  readonly perRequest: number;
  readonly perMessage: number;
  readonly perTool: number;
}

/** What a model can do, as data: no provider or model name decides anything in the engine. */
export interface Capabilities {
  /** Id of the token counter whose counts this model's provider bills by. */
  readonly counter: string;
  /** True when `counter` is the model's own tokenizer; otherwise counts are estimates. */
  readonly counterIsExact: boolean;
  readonly framing: Framing;
  readonly images: boolean;
  readonly tools: boolean;
  /** Whether user content may follow tool results in the same turn. */
  readonly userContentAfterToolResults: boolean;
  /** Whether the provider takes explicit cache breakpoints, and how many; null when it takes none. */
  readonly cacheBreakpoints: { readonly most: number; readonly minimumTokens: number } | null;
}

export interface Model {
  readonly ref: ModelRef;
  readonly label: string;
  /** Wire protocol id; reasoning is replayed to the same protocol and model only. */
  readonly protocol: string;
  /** Token limits; null when unknown. */
  readonly maxInputTokens: number | null;
  readonly maxOutputTokens: number | null;
  readonly prices: Prices | null;
  readonly capabilities: Capabilities;
}

/** Request parameters beside the prompt. */
export interface RequestParams {
  readonly maxOutputTokens: number | null;
}

/** A request in the provider's own form: exactly the bytes of the HTTP body. */
export interface WireRequest {
  readonly body: string;
  /** Version of the converter that made the body; a rebuilt request says when it differs. */
  readonly converterVersion: string;
}

export type StopReason = 'end' | 'toolCalls' | 'length' | 'refused' | 'other';

/** What a model's stream says, in the order it arrives. `index` numbers the parts of the reply from 0. */
export type StreamPart =
  | { readonly type: 'text'; readonly index: number; readonly text: string }
  | { readonly type: 'reasoning'; readonly index: number; readonly text: string }
  | { readonly type: 'reasoningSigned'; readonly index: number; readonly opaque: string }
  | { readonly type: 'toolCall'; readonly index: number; readonly id: string; readonly name: string }
  | { readonly type: 'toolCallArgs'; readonly index: number; readonly text: string }
  | {
      readonly type: 'end';
      readonly stopReason: StopReason;
      readonly usage: Usage | null;
      /** The provider's own usage object, kept as it came. */
      readonly rawUsage: Json;
      readonly responseId: string | null;
    };

/**
 * One wire protocol's way to a model. `convert` is pure: the same prompt and parameters give the same bytes.
 * `stream` ends with exactly one `end` part or throws a `LoupeError`; a stream that ends without either is
 * incomplete. It stops promptly, in whatever way, when `signal` aborts.
 */
export interface ModelClient {
  convert(model: Model, prompt: Prompt, params: RequestParams): WireRequest;
  stream(model: Model, request: WireRequest, signal: AbortSignal): AsyncIterable<StreamPart>;
}
