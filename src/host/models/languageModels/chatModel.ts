import type { LmMessage, LmRequest } from './wire.js';

/*
 * The part of VS Code's language model API that Loupe uses, so that all but one file runs without VS Code.
 */

/**
 * A part of a model's stream, as the model's extension made it: nothing checks the members. `other`: a kind that the API does not
 * document.
 */
export type ReceivedPart =
  | { readonly type: 'text'; readonly text: unknown }
  | { readonly type: 'toolCall'; readonly id: unknown; readonly name: unknown; readonly input: unknown }
  | { readonly type: 'data'; readonly mimeType: string; readonly bytes: Uint8Array }
  | { readonly type: 'other' };

/** A model that an extension brings into VS Code. */
export interface ChatModel {
  readonly vendor: string;
  /** Unique within its vendor. */
  readonly id: string;
  readonly name: string;
  readonly maxInputTokens: number;
  /**
   * Resolves when the model's extension has accepted the request. At the first request VS Code asks the user whether
   * Loupe may use the models of that extension, and this waits for the answer. An abort of `signal` ends the request.
   */
  send(request: LmRequest, signal: AbortSignal): Promise<AsyncIterable<ReceivedPart>>;
  /** Tokens of a text or of a message, as the model's extension counts them. */
  countTokens(content: string | LmMessage, signal: AbortSignal): Promise<number>;
}

/** All models of VS Code. */
export interface ChatModels {
  /** May start the extensions that provide models. */
  select(): Promise<readonly ChatModel[]>;
  /** Calls `listener` when models may have come, gone or changed; returns a function that removes it. */
  onChange(listener: () => void): () => void;
}
