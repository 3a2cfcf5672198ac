import type { JsonObject } from '../json.js';

/* Parts of messages, as stored in the chat log. A changed shape needs a new `LOG_VERSION` (`chat/order/stamp.ts`). */

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

/**
 * `blob` is the SHA-256 (hex) of the image's bytes, and the name of its file in the chat's blob folder. `bytes` is the
 * size of the file. `width` and `height` are in pixels. An unknown size is null. `name` is the name of the user's file;
 * missing for an image without a file, in tool results, in replies, and in older logs.
 */
export interface ImagePart {
  readonly type: 'image';
  readonly blob: string;
  readonly mimeType: string;
  readonly bytes: number | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly name?: string;
}

/**
 * Later requests send reasoning unchanged, and only to the protocol and model that it came from. `opaque` is the
 * provider's signature or encrypted form. It is null for partial reasoning, which is never sent.
 */
export interface ReasoningPart {
  readonly type: 'reasoning';
  readonly text: string;
  readonly opaque: string | null;
  readonly protocol: string;
  readonly model: string;
}

/** Marks a call that arrived as a second object in the arguments of the previous call. Missing in older logs. */
export interface SplitMarker {
  readonly isSplitOff?: true;
}

/** `rawArgs` is the text that the model sent. `args` is the parsed text, or null when the text is not a JSON object. */
export interface ToolCallPart extends SplitMarker {
  readonly type: 'toolCall';
  readonly id: string;
  readonly name: string;
  readonly rawArgs: string;
  readonly args: JsonObject | null;
}

/**
 * A tool's text that is too large for the log. `blob` is the SHA-256 (hex) of its UTF-8 bytes, and the name of its file
 * in the chat's blob folder. `bytes` is the size of the file. `preview` is the beginning of the text.
 */
export interface BlobContent {
  readonly type: 'blob';
  readonly blob: string;
  readonly bytes: number;
  readonly preview: string;
}

/** Loads an on-demand tool: the provider inserts the tool's definition here. `name` is the name that models call. */
export interface ToolReference {
  readonly type: 'toolReference';
  readonly name: string;
}

/** Content of a tool result. A text over the limit is a `BlobContent`. */
export type ToolResultContent = TextPart | ImagePart | BlobContent | ToolReference;

/** `synthetic`: made by Loupe for a stopped or lost call, because providers require a result for each call. */
export interface ToolResultPart {
  readonly type: 'toolResult';
  readonly callId: string;
  readonly name: string;
  readonly content: readonly ToolResultContent[];
  readonly isError: boolean;
  readonly synthetic: boolean;
  /** The text that requests of later turns contain instead of the content. Missing if they contain the content. */
  readonly reference?: string;
}

export type UserPart = TextPart | ImagePart;
/** Protocols take images only from the user, so requests send the image of a reply after the reply. */
export type AssistantPart = TextPart | ImagePart | ReasoningPart | ToolCallPart;
export type Part = UserPart | AssistantPart | ToolResultPart;
