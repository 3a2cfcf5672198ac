import type { Json, JsonObject } from '../../engine/json.js';
import type { WirePart } from '../../engine/request/block.js';

/*
 * What goes to a model of VS Code, as JSON: the arguments of `LanguageModelChat.sendRequest`. The API takes objects,
 * not bytes; this form is what is recorded, and the objects are made from nothing else.
 */

/** Wire protocol id. */
export const VSCODE_PROTOCOL = 'vscode-lm';

export type LmText = Extract<WirePart, { readonly type: 'text' }>;
export type LmToolCall = Extract<WirePart, { readonly type: 'toolCall' }>;

/** The API knows no failed results: that a tool failed stands in its text. */
export interface LmToolResult {
  readonly type: 'toolResult';
  readonly callId: string;
  readonly content: readonly LmText[];
}

/** The API has these two roles only. */
export type LmMessage =
  | { readonly role: 'user'; readonly content: readonly (LmText | LmToolResult)[] }
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
  /** What only this model's provider understands. */
  readonly modelOptions: JsonObject;
}
