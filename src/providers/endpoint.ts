import type { ModelClient } from '../engine/run/model.js';

/** Where a provider is reached and how, from its configuration. */
export interface Endpoint {
  /** Id and label of the provider, for messages to the user. */
  readonly id: string;
  readonly label: string;
  /** What the protocol's paths follow, without a slash at its end. */
  readonly baseUrl: string;
  /** Sent with every request, beside what the protocol itself wants. */
  readonly headers: Readonly<Record<string, string>>;
  /** Longest wait in ms for the first byte of an answer, and between two. */
  readonly silenceMs: number;
  /** The key as it is now; null for a server that wants none. It is asked for at each request and kept nowhere. */
  key(use: KeyUse): Promise<string | null>;
}

/**
 * Who wants the key: the `user`, who waits for the answer and may be asked for the key; or work in the `background`,
 * for which nobody is interrupted.
 */
export type KeyUse = 'user' | 'background';

/** A model as the endpoint lists it. Limits are tokens; null where the endpoint does not tell. */
export interface ListedModel {
  readonly id: string;
  readonly label: string | null;
  readonly maxInputTokens: number | null;
  readonly maxOutputTokens: number | null;
}

/** The client of a configured endpoint. */
export interface EndpointClient extends ModelClient {
  /** The models that the endpoint offers; throws a `LoupeError`, `protocol` when it keeps no such list. */
  listModels(signal: AbortSignal): Promise<readonly ListedModel[]>;
}
