import type { Prices } from '../engine/model/price.js';
import type { Usage } from '../engine/model/usage.js';
import type { ModelRef } from '../engine/model/modelRef.js';
import type { ExchangeListener } from '../engine/model/exchange.js';
import type { ModelClient } from '../engine/model/model.js';

/** The configuration of a provider: where it is and how to reach it. */
export interface Endpoint {
  /** Id and label of the provider, for messages to the user. */
  readonly id: string;
  readonly label: string;
  /** Base of the protocol's paths, without a slash at its end. */
  readonly baseUrl: string;
  /** Sent with every request, in addition to the headers of the protocol. */
  readonly headers: Readonly<Record<string, string>>;
  /** The header that carries the key; null for the one of the protocol. */
  readonly keyHeader: KeyHeader | null;
  /** Longest wait in ms for the first byte of an answer, and between two bytes. */
  readonly silenceMs: number;
  /** The current key; null when the server needs none. Asked for at each request and never stored. */
  key(use: KeyUse): Promise<string | null>;
}

/** The headers that servers take keys in: bare, or as `Bearer` in `authorization`. */
export const KEY_HEADERS = ['x-api-key', 'authorization'] as const;
export type KeyHeader = (typeof KEY_HEADERS)[number];

/** Who needs the key: the `user`, who waits and may be asked for it, or work in the `background`, which never asks. */
export type KeyUse = 'user' | 'background';

/** A model in the endpoint's list. Limits are tokens; null where the endpoint does not say. */
export interface ListedModel {
  readonly id: string;
  readonly label: string | null;
  readonly maxInputTokens: number | null;
  readonly maxOutputTokens: number | null;
  /** What the model is for when that is not chat, in words; null for a chat model, and where nothing tells. */
  readonly otherUse: string | null;
}

/** The client of a configured endpoint. */
export interface EndpointClient extends ModelClient {
  /** The models that the endpoint offers. Throws a `LoupeError`; `protocol` when the endpoint has no such list. */
  listModels(signal: AbortSignal): Promise<readonly ListedModel[]>;
}

/** A vector for each text, in their order, all of the same dimensions. */
export interface Embeddings {
  readonly vectors: readonly (readonly number[])[];
  /** Null when the server reports none. */
  readonly usage: Usage | null;
}

/** Makes vectors of texts. */
export interface Embedder {
  /** Label of the provider, for messages to the user. */
  readonly label: string;
  readonly ref: ModelRef;
  /** Those of the model in the provider's list; null when unknown. */
  readonly prices: Prices | null;
  /** Names address and model: vectors of one name can be compared. */
  readonly id: string;
  /** Throws a `LoupeError`. */
  embed(texts: readonly string[], signal: AbortSignal, exchanged: ExchangeListener): Promise<Embeddings>;
}
