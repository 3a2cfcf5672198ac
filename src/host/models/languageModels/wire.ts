import type { Json, JsonObject } from '../../../engine/json.js';
import type { WirePart } from '../../../engine/model/block.js';

/*
 * A request to a model in VS Code: the arguments of `LanguageModelChat.sendRequest` as JSON. The API takes objects, not
 * bytes. Loupe records the JSON, and builds the objects from it.
 */

export const VSCODE_PROTOCOL = 'vscode-lm';

export type LmText = Extract<WirePart, { readonly type: 'text' }>;
/** An image. `data` is Base64. */
export interface LmImage {
  readonly type: 'image';
  readonly mimeType: string;
  readonly data: string;
}

export type LmToolCall = Extract<WirePart, { readonly type: 'toolCall' }>;

/** The result of a tool call. The API has no flag for failures, so the text of the result says that it failed. */
export interface LmToolResult {
  readonly type: 'toolResult';
  readonly callId: string;
  readonly content: readonly (LmText | LmImage)[];
}

/** A message. The API has only these two roles. */
export type LmMessage =
  | { readonly role: 'user'; readonly content: readonly (LmText | LmImage | LmToolResult)[] }
  | { readonly role: 'assistant'; readonly content: readonly (LmText | LmToolCall)[] };

export interface LmTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Json;
}

export interface LmRequest {
  readonly messages: readonly LmMessage[];
  readonly tools: readonly LmTool[];
  readonly modelOptions: JsonObject;
}
