import type { LmMessage, LmRequest } from './wire.js';

/* The part of VS Code's language model API that Loupe uses. Only `vscodeChatModels.ts` imports VS Code. */

/** An unchecked part of a reply from the model's extension. `other`: a kind that the API does not document. */
export type ReceivedPart =
  | { readonly type: 'text'; readonly text: unknown }
  | { readonly type: 'toolCall'; readonly id: unknown; readonly name: unknown; readonly input: unknown }
  | { readonly type: 'data'; readonly mimeType: string; readonly bytes: Uint8Array }
  | { readonly type: 'other' };

/** A model that an extension provides to VS Code. */
export interface ChatModel {
  readonly vendor: string;
  /** Unique among the models of a vendor. */
  readonly id: string;
  readonly name: string;
  readonly maxInputTokens: number;
  /**
   * Resolves when the model's extension has accepted the request. At the first request, VS Code asks the user whether
   * Loupe may use the models of that extension, and `send` waits for the answer. Aborting `signal` ends the request.
   */
  send(request: LmRequest, signal: AbortSignal): Promise<AsyncIterable<ReceivedPart>>;
  /** Returns the number of tokens in a text or message, as the model's extension counts them. */
  countTokens(content: string | LmMessage, signal: AbortSignal): Promise<number>;
}

export interface ChatModels {
  /** Returns VS Code's models. The call may start the extensions that provide models. */
  select(): Promise<readonly ChatModel[]>;
  /** Calls `listener` when the list of models may have changed. Returns a function that removes the listener. */
  onChange(listener: () => void): () => void;
}
