import type { LmMessage, LmRequest } from './wire.js';

/* The part of VS Code's language model API that Loupe uses. Only `vscodeChatModels.ts` imports VS Code. */

/**
 * A part of a reply as the model's extension sent it, not checked. `other` is a kind outside the API's documentation.
 */
export type ReceivedPart =
  | { readonly type: 'text'; readonly text: unknown }
  | { readonly type: 'toolCall'; readonly id: unknown; readonly name: unknown; readonly input: unknown }
  | { readonly type: 'data'; readonly mimeType: string; readonly bytes: Uint8Array }
  | { readonly type: 'other' };

/** A model that an extension provides to VS Code. */
export interface ChatModel {
  readonly vendor: string;
  /** Unique among the models of one vendor. */
  readonly id: string;
  readonly name: string;
  readonly maxInputTokens: number;
  /**
   * Resolves when the model's extension has accepted the request. At the first request, VS Code asks the user whether
   * Loupe may use the models of that extension, and this call waits for the user. Aborting `signal` ends the request.
   */
  send(request: LmRequest, signal: AbortSignal): Promise<AsyncIterable<ReceivedPart>>;
  /** Returns the number of tokens in a text or message. The model's extension decides how to count. */
  countTokens(content: string | LmMessage, signal: AbortSignal): Promise<number>;
}

export interface ChatModels {
  /** Returns VS Code's models. The call may start the extensions that provide models. */
  select(): Promise<readonly ChatModel[]>;
  /** Calls `listener` when the list of models may have changed. Returns a function that removes the listener. */
  onChange(listener: () => void): () => void;
}
