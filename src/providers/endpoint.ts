import type { Prices } from '../engine/model/price.js';
import type { Usage } from '../engine/model/usage.js';
import type { ModelRef } from '../engine/model/modelRef.js';
import type { ExchangeListener } from '../engine/model/httpExchange.js';
import type { ModelClient } from '../engine/model/model.js';

/** The address of a provider, and how to connect to it. */
export interface Endpoint {
  /** Id and label of the provider, for messages to the user. */
  readonly id: string;
  readonly label: string;
  /** Base of the protocol's paths, without a trailing slash. */
  readonly baseUrl: string;
  /** Sent with each request, in addition to the protocol's headers. */
  readonly headers: Readonly<Record<string, string>>;
  /** The header that carries the key. Null for the protocol's own header. */
  readonly keyHeader: KeyHeader | null;
  /** Longest silence before the first byte of a response and between bytes, in ms. */
  readonly silenceMs: number;
  /** Returns the current key, or null when the server needs none. Called for each request, never stored. */
  key(use: KeyUse): Promise<string | null>;
}

/** Headers that servers accept keys in: `x-api-key` as it is, `authorization` with `Bearer`. */
export const KEY_HEADERS = ['x-api-key', 'authorization'] as const;
export type KeyHeader = (typeof KEY_HEADERS)[number];

/** Who needs the key: a waiting `user`, who may be asked for it, or work in the `background`, which never asks. */
export type KeyUse = 'user' | 'background';

/** A model in the endpoint's list. Limits are in tokens, null when unknown. */
export interface ListedModel {
  readonly id: string;
  readonly label: string | null;
  readonly maxInputTokens: number | null;
  readonly maxOutputTokens: number | null;
  /** A note for a model with another use than chat. Null for a chat model or when unknown. */
  readonly otherUse: string | null;
}

export interface EndpointClient extends ModelClient {
  /** Returns the endpoint's models. Throws a `LoupeError`: `protocol` when the endpoint has no such list. */
  listModels(signal: AbortSignal): Promise<readonly ListedModel[]>;
}

/** One vector for each text, in order, all with the same dimensions. */
export interface Embeddings {
  readonly vectors: readonly (readonly number[])[];
  /** Null when the server reports none. */
  readonly usage: Usage | null;
}

export interface Embedder {
  /** Label of the provider, for messages to the user. */
  readonly label: string;
  readonly ref: ModelRef;
  /** The prices in the provider's settings. Null when unknown. */
  readonly prices: Prices | null;
  /** Identifies address and model. Vectors with the same id can be compared. */
  readonly id: string;
  embed(texts: readonly string[], signal: AbortSignal, exchanged: ExchangeListener): Promise<Embeddings>;
}
