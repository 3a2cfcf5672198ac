import type { Prices } from './price.js';
import type { Usage } from './usage.js';
import type { CacheRules } from './cacheRules.js';
import type { ImageLimits, ImageTokens } from './imageRules.js';
import type { ModelRef } from './modelRef.js';
import type { SplitMarker } from './part.js';
import type { Json, JsonObject } from '../json.js';
import type { Prompt } from './prompt.js';
import type { ExchangeListener } from './httpExchange.js';

/** Tokens that a wire format adds around the content. Counts with these numbers agree with the provider's bill. */
export interface Framing {
  readonly perRequest: number;
  readonly perMessage: number;
  readonly perTool: number;
}

/**
 * Whether later requests send a model's complete reasoning back to the model:
 *
 * - `needed`: only reasoning that the provider signed or encrypted, and reasoning of tool calls. Providers refuse tool
 *   calls without their reasoning.
 * - `samePrefix`: all reasoning while the prompt before it is unchanged. After a change, providers refuse the request.
 */
export type ReasoningReplay = (typeof REASONING_REPLAYS)[number];
export const REASONING_REPLAYS = ['never', 'needed', 'always', 'samePrefix'] as const;

export interface ToolNameRule {
  /** The allowed characters, as in the brackets of a regular expression. */
  readonly characters: string;
  /** The characters with which a name may start. Null: any of the allowed characters. */
  readonly first: string | null;
  readonly maxLength: number;
}

/** Which schemas of arguments a provider accepts. */
export interface ToolSchemaRule {
  /** Whether `anyOf`, `oneOf` and `allOf` may be at the top of a schema. */
  readonly unionsAtTop: boolean;
  /** Whether a schema may refer to its definitions by `$ref`. */
  readonly references: boolean;
  /** The names that arguments may have. Null when any name is allowed. */
  readonly propertyNames: Pick<ToolNameRule, 'characters' | 'maxLength'> | null;
}

/** The ids of tool calls that a provider accepts. `nine`: exactly nine letters and digits. */
export type CallIdRule = (typeof CALL_ID_RULES)[number];
export const CALL_ID_RULES = ['any', 'nine'] as const;

/** What a model can do, as data: the engine never decides by the name of a provider or model. */
export interface Capabilities {
  /** Id of the token counter that is closest to the provider's bill. */
  readonly counter: string;
  /** True when `counter` is the tokenizer of the model; otherwise counts are estimates. */
  readonly counterIsExact: boolean;
  /** Whether the provider can count tokens (`ModelClient.countTokens`). Loupe uses this only if a setting allows it. */
  readonly countsTokens: boolean;
  /** Whether the provider documents that counting tokens is free. Otherwise the cost of a count is unknown. */
  readonly freeCounts: boolean;
  readonly framing: Framing;
  readonly images: boolean;
  /** How the provider counts the tokens of an image. Null when unknown. */
  readonly imageTokens: ImageTokens | null;
  /** The largest image that the provider accepts. Null when unknown. */
  readonly imageLimits: ImageLimits | null;
  readonly tools: boolean;
  /** Whether a request can define tools outside the prompt, which the result of another tool then loads. */
  readonly toolsOnDemand: boolean;
  /** The names that requests may give to tools; null when any name is allowed. */
  readonly toolNames: ToolNameRule | null;
  readonly toolSchemas: ToolSchemaRule;
  /** Maximum number of tools in a request. Null when no limit is known. */
  readonly mostTools: number | null;
  readonly callIds: CallIdRule;
  /** Whether the provider refuses a conversation with tool calls when no tool is defined. */
  readonly callsNeedDefinitions: boolean;
  /** Whether the provider allows user content after tool results in the same turn. */
  readonly userContentAfterToolResults: boolean;
  readonly reasoningReplay: ReasoningReplay;
  readonly cache: CacheRules;
  /** Whether requests have a `prompt_cache_key`. It directs requests to the server that cached their prefix. */
  readonly cacheKey: boolean;
  /** Whether the provider reports where a request differs from an earlier request (`diagnostics`, Messages API). */
  readonly cacheDiagnostics: boolean;
}

export interface Model {
  readonly ref: ModelRef;
  readonly label: string;
  /** Wire protocol id. Later requests send reasoning back only to the same protocol and model. */
  readonly protocol: string;
  /** The input limit in tokens; null when unknown. */
  readonly maxInputTokens: number | null;
  /** The output limit in tokens; null when unknown. */
  readonly maxOutputTokens: number | null;
  readonly prices: Prices | null;
  readonly capabilities: Capabilities;
  /** Further members of the request body, from the model's configuration (a temperature, a reasoning budget). */
  readonly extraBody: JsonObject;
  /** Members of the request body that the server has refused. Later requests omit these. Missing without refusals. */
  readonly refusedMembers?: readonly string[];
  /** The names in Loupe of the tools that the server refused within the last hour. Missing without refusals. */
  readonly refusedTools?: readonly string[];
}

/**
 * The part of a model that a converter may use. It is small, because Loupe also rebuilds requests to models that are no
 * longer configured. The name then comes from the log, and the capability from the protocol's default.
 */
export interface ConverterModel {
  readonly ref: ModelRef;
  readonly capabilities: Pick<Capabilities, 'userContentAfterToolResults' | 'callIds'>;
}

/** Request parameters other than the prompt. */
export interface RequestParams {
  readonly maxOutputTokens: number | null;
  /** Members added to the request body. They never replace a member that the converter writes. */
  readonly extraBody: JsonObject;
  /** The key of the prompt's prefix in the provider's cache; missing when the provider accepts no key. */
  readonly cacheKey?: string;
  /**
   * The response id of the earlier request that the provider compares with this request. Null for the first request,
   * which the provider only remembers for later comparisons. Missing for a provider that compares nothing.
   */
  readonly previousResponseId?: string | null;
  /** Members that the body omits, because the server refuses them. Missing if the body omits no member. */
  readonly leftOut?: readonly string[];
}

/** The bytes of a prompt's images in Base64, by the SHA-256 (hex) that its parts name. */
export type PromptImages = ReadonlyMap<string, string>;

/** A request in the form of the provider: exactly the bytes of the HTTP body. */
export interface WireRequest {
  readonly body: string;
  /** Version of the converter that made the body. If a rebuilt request has another version, Loupe shows a notice. */
  readonly converterVersion: string;
}

export type StopReason = 'end' | 'toolCalls' | 'length' | 'refused' | 'other';

/** Sent before the reply by a provider that diagnoses cache misses. */
export interface ReplyBegin {
  readonly type: 'begin';
  readonly responseId: string | null;
  /** Null when the provider reported nothing, or nothing that Loupe understands. */
  readonly diagnosis: ProviderDiagnosis | null;
}

/**
 * A part of a model's stream. `index` numbers the parts of the reply from 0. A reasoning part with the index of a text
 * part turns that whole text into reasoning.
 */
export type StreamPart =
  | ReplyBegin
  | { readonly type: 'text'; readonly index: number; readonly text: string }
  | { readonly type: 'reasoning'; readonly index: number; readonly text: string }
  | { readonly type: 'reasoningSigned'; readonly index: number; readonly opaque: string }
  | ReceivedImage
  | ({ readonly type: 'toolCall'; readonly index: number; readonly id: string; readonly name: string } & SplitMarker)
  | { readonly type: 'toolCallArgs'; readonly index: number; readonly text: string }
  /** Usage reported during the stream, needed if the stream breaks off. A later report replaces the earlier report. */
  | {
      readonly type: 'usage';
      readonly usage: Usage;
      readonly rawUsage: Json;
      readonly shrunk?: readonly ShrunkFigure[];
      /** The id of the model that answers; missing if the requested model answers. */
      readonly answeredBy?: string;
    }
  | {
      readonly type: 'end';
      readonly stopReason: StopReason;
      readonly usage: Usage | null;
      /** The usage object as the provider sent it. */
      readonly rawUsage: Json;
      readonly shrunk?: readonly ShrunkFigure[];
      readonly responseId: string | null;
      /** The id of the model that answered; missing if the requested model answered. */
      readonly answeredBy?: string;
      /** The provider's word for the stop reason `other`, or its reason for a refusal; missing if it sent neither. */
      readonly finishReason?: string;
      readonly extras?: readonly ReplySource[];
    };

/** An image of a reply as it arrives. `mimeType` is the type that the provider names. */
export interface ReceivedImage {
  readonly type: 'image';
  readonly index: number;
  readonly mimeType: string;
  readonly bytes: Uint8Array;
}

export type ReplyStreamPart = Exclude<StreamPart, { readonly type: 'begin' | 'end' | 'usage' }>;

/** Converts a prompt to a protocol's request. Pure. Throws a `storage` error for an image that is not in `images`. */
export type Convert = (model: ConverterModel, prompt: Prompt, params: RequestParams, images: PromptImages) => WireRequest;

/**
 * Calls models over one wire protocol.
 *
 * - `convert` is the protocol's `Convert`.
 * - `stream` ends with exactly one `end` part or throws a `LoupeError`. A stream that ends without either is
 *   incomplete. When `signal` aborts, the stream ends promptly, with or without an error. Ids of tool calls are unique
 *   within a reply.
 * - `exchanged` receives every HTTP exchange, including failed ones.
 */
export interface ModelClient {
  convert(model: Model, prompt: Prompt, params: RequestParams, images: PromptImages): WireRequest;
  stream(model: Model, request: WireRequest, signal: AbortSignal, exchanged: ExchangeListener): AsyncIterable<StreamPart>;
  /**
   * Returns the input tokens of a request as the provider counts them. Only for models with the capability
   * `countsTokens`, and only if the settings allow it. Rejects with a `LoupeError`.
   */
  countTokens(model: Model, request: WireRequest, signal: AbortSignal): Promise<number>;
}

/** A source that a reply names; `url` or `title` is '' when missing. Never sent to a model. */
export interface ReplySource {
  readonly type: 'source';
  readonly url: string;
  readonly title: string;
}

/** An item that came with a reply, as stored in the log. */
export type ReplyExtra =
  | ReplySource
  /** An image. Only version 0.1.0 logged images here. `blob` is null when the image could not be stored. */
  | { readonly type: 'image'; readonly mimeType: string; readonly bytes: number; readonly blob: string | null };

/** A provider's comparison of a request with an earlier request. It covers only the two requests, not the cache. */
export type ProviderDiagnosis =
  | { readonly kind: 'same' }
  /** The first difference. `tokens` is an estimate of the input after the difference. Null without an estimate. */
  | { readonly kind: 'differs'; readonly what: 'model' | 'tools' | 'system' | 'messages'; readonly tokens: number | null }
  /** No result. `pending`: not ready when the reply began. `notFound`: the provider lacks the earlier request. */
  | { readonly kind: 'untold'; readonly why: 'pending' | 'notFound' | 'unavailable' }
  /** A result that Loupe does not recognize; `word` is the provider's word. */
  | { readonly kind: 'other'; readonly word: string };

/** A token count that a provider reported during a reply, and later made smaller. */
export interface ShrunkFigure {
  /** The path of the count in the provider's usage object: `prompt_tokens_details.cached_tokens`. */
  readonly name: string;
  readonly earlier: number;
  /** A value below 0 is invalid. The earlier count then applies. */
  readonly later: number;
}
