import type { Prices } from '../engine/model/price.js';
import type { Usage } from '../engine/model/usage.js';
import type { ModelRef } from '../engine/model/modelRef.js';
import type { ExchangeListener } from '../engine/model/httpExchange.js';
import type { ModelClient } from '../engine/model/model.js';

export interface Endpoint {
  /** Id and label of the provider, for messages to the user. */
  readonly id: string;
  readonly label: string;
  /** Start of the address of every request, without a trailing slash. */
  readonly baseUrl: string;
  /** Headers from the settings, which each request has in addition to the protocol's headers. */
  readonly headers: Readonly<Record<string, string>>;
  /** The header that contains the key. Null for the default header of the protocol. */
  readonly keyHeader: KeyHeader | null;
  /** Maximum time without data in a response, before the first byte or between bytes, in ms. */
  readonly silenceMs: number;
  /** Returns the current key. Null for a server without keys. Called for each request; Loupe does not keep the key. */
  key(use: KeyUse): Promise<string | null>;
}

/** Headers in which servers accept a key: `x-api-key` with the key, `authorization` with `Bearer` and the key. */
export const KEY_HEADERS = ['x-api-key', 'authorization'] as const;
export type KeyHeader = (typeof KEY_HEADERS)[number];

/** `user`: Loupe can ask the waiting user for a missing key. `background`: Loupe does not ask. */
export type KeyUse = 'user' | 'background';

/** A model in the endpoint's list. Token limits are null when unknown. */
export interface ListedModel {
  readonly id: string;
  readonly label: string | null;
  readonly maxInputTokens: number | null;
  readonly maxOutputTokens: number | null;
  /** A note about another use of the model than chat, such as embeddings. Null for a chat model and when unknown. */
  readonly otherUse: string | null;
}

export interface EndpointClient extends ModelClient {
  /** Returns the endpoint's models. Throws a `LoupeError`: `protocol` when the endpoint has no such list. */
  listModels(signal: AbortSignal): Promise<readonly ListedModel[]>;
}

/** Vectors of texts: one for each text, in order, all with the same dimensions. */
export interface Embeddings {
  readonly vectors: readonly (readonly number[])[];
  /** Null when the server reports no usage. */
  readonly usage: Usage | null;
}

export interface Embedder {
  readonly label: string;
  readonly ref: ModelRef;
  /** The prices in the provider's settings. Null when unknown. */
  readonly prices: Prices | null;
  /** Id of the address and model. Vectors are comparable only if their ids are equal. */
  readonly id: string;
  embed(texts: readonly string[], signal: AbortSignal, exchanged: ExchangeListener): Promise<Embeddings>;
}
