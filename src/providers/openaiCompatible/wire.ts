import type { Json, JsonObject } from '../../engine/json.js';
import type { ReturnedReasoning } from './returnedReasoning.js';

/*
 * The members of a Chat Completions request that Loupe writes, with OpenAI's and the gateways' cache
 * breakpoints, and what servers want back of the reasoning in their replies.
 */

/** A cache breakpoint, in the form of OpenRouter and LiteLLM; without `ttl` its time to live is 5 minutes. */
export interface CacheControl {
  readonly type: 'ephemeral';
  readonly ttl?: '1h';
}

/** A cache breakpoint of OpenAI's own, for GPT-5.6 and later; its time to live is 30 minutes. */
export interface PromptCacheBreakpoint {
  readonly mode: 'explicit';
}

export interface Marked {
  readonly cache_control?: CacheControl;
  readonly prompt_cache_breakpoint?: PromptCacheBreakpoint;
}

export interface WireText extends Marked {
  readonly type: 'text';
  readonly text: string;
}

export interface WireImage extends Marked {
  readonly type: 'image_url';
  readonly image_url: { readonly url: string };
}

export interface WireToolCall {
  readonly id: string;
  readonly type: 'function';
  /** `arguments` is JSON in a string. */
  readonly function: { readonly name: string; readonly arguments: string };
}

export interface WireTool {
  readonly type: 'function';
  readonly function: { readonly name: string; readonly description: string; readonly parameters: Json };
}

/** An assistant message; `content` is null only beside tool calls. */
export type WireAssistant = {
  readonly role: 'assistant';
  readonly content: string | readonly (WireText | JsonObject)[] | null;
  /** With the signatures that their replies had. */
  readonly tool_calls?: readonly WireToolCall[];
} & ReturnedReasoning['members'];

export interface WireToolResult {
  readonly role: 'tool';
  readonly tool_call_id: string;
  readonly content: string | readonly WireText[];
}

export type WireMessage =
  | { readonly role: 'system'; readonly content: string | readonly WireText[] }
  | { readonly role: 'user'; readonly content: string | readonly (WireText | WireImage)[] }
  | WireAssistant
  | WireToolResult;
