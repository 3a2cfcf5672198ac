import type { Json, JsonObject } from '../../../engine/json.js';
import type { WirePart } from '../../../engine/model/block.js';

/*
 * A request to a model of VS Code, as JSON: the arguments of `LanguageModelChat.sendRequest`. The API takes objects,
 * not bytes. The JSON is recorded, and the objects are made from it alone.
 */

/** Wire protocol id. */
export const VSCODE_PROTOCOL = 'vscode-lm';

export type LmText = Extract<WirePart, { readonly type: 'text' }>;
/** `data`: the image's bytes in Base64. */
export interface LmImage {
  readonly type: 'image';
  readonly mimeType: string;
  readonly data: string;
}

export type LmToolCall = Extract<WirePart, { readonly type: 'toolCall' }>;

/** The API has no failed results: the text says that a tool failed. */
export interface LmToolResult {
  readonly type: 'toolResult';
  readonly callId: string;
  readonly content: readonly (LmText | LmImage)[];
}

/** The API has only these two roles. */
export type LmMessage =
  | { readonly role: 'user'; readonly content: readonly (LmText | LmImage | LmToolResult)[] }
  | { readonly role: 'assistant'; readonly content: readonly (LmText | LmToolCall)[] };

/** `inputSchema` is a JSON schema. */
export interface LmTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Json;
}

export interface LmRequest {
  readonly messages: readonly LmMessage[];
  readonly tools: readonly LmTool[];
  /** Options that only this model's provider understands. */
  readonly modelOptions: JsonObject;
}
