import type { Json, JsonObject } from '../../engine/json.js';
import type { ReturnedReasoning } from './returnedReasoning.js';

/*
 * Members of a Chat Completions request that Loupe writes. Includes cache breakpoints of OpenAI and of gateways, and
 * the reasoning of earlier replies that servers require.
 */

/** A cache breakpoint of OpenRouter and LiteLLM. Its default lifetime is 5 minutes. */
export interface CacheControl {
  readonly type: 'ephemeral';
  readonly ttl?: '1h';
}

/** A cache breakpoint of OpenAI, for GPT-5.6 and later. Its lifetime is 30 minutes. */
export interface PromptCacheBreakpoint {
  readonly mode: 'explicit';
}

export interface BreakpointMembers {
  readonly cache_control?: CacheControl;
  readonly prompt_cache_breakpoint?: PromptCacheBreakpoint;
}

export interface WireText extends BreakpointMembers {
  readonly type: 'text';
  readonly text: string;
}

export interface WireImage extends BreakpointMembers {
  readonly type: 'image_url';
  readonly image_url: { readonly url: string };
}

export interface WireToolCall {
  readonly id: string;
  readonly type: 'function';
  /** The called function. `arguments` is JSON as a string. */
  readonly function: { readonly name: string; readonly arguments: string };
}

export interface CompletionsTool {
  readonly type: 'function';
  readonly function: { readonly name: string; readonly description: string; readonly parameters: Json };
}

/** An assistant message. `content` can be null only in a message with tool calls. */
export type WireAssistant = {
  readonly role: 'assistant';
  readonly content: string | readonly (WireText | JsonObject)[] | null;
  /** The tool calls, with the provider's signatures. */
  readonly tool_calls?: readonly WireToolCall[];
} & ReturnedReasoning['members'];

export interface WireToolResult {
  readonly role: 'tool';
  readonly tool_call_id: string;
  readonly content: string | readonly WireText[];
}

export type CompletionsMessage =
  | { readonly role: 'system'; readonly content: string | readonly WireText[] }
  | { readonly role: 'user'; readonly content: string | readonly (WireText | WireImage)[] }
  | WireAssistant
  | WireToolResult;
