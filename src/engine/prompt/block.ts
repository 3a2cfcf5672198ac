import type { Json, JsonObject } from '../json.js';

/** The role of a block on the wire. `tools` are definitions, in front of everything else. */
export type BlockRole = 'tools' | 'system' | 'user' | 'assistant' | 'tool-results';

/** The content of a block: one wire content part, provider-neutral, with everything a converter needs. */
export type WirePart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly blob: string; readonly mimeType: string }
  | { readonly type: 'reasoning'; readonly text: string; readonly opaque: string }
  | { readonly type: 'toolCall'; readonly id: string; readonly name: string; readonly args: JsonObject }
  | {
      readonly type: 'toolResult';
      readonly callId: string;
      readonly name: string;
      readonly content: readonly WireResultContent[];
      readonly isError: boolean;
    }
  | { readonly type: 'toolDefinition'; readonly name: string; readonly description: string; readonly schema: Json };

export type WireResultContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly blob: string; readonly mimeType: string };

/** Stability tiers, most stable first; the plain layout knows only `active`. */
export type Tier = 'L0' | 'L1' | 'L2' | 'L3' | 'active';

/** Where a block's content can be found again when the request is rebuilt from the log. */
export type BlockSource =
  /** Part `part` of a message in the log. */
  | { readonly from: 'message'; readonly messageId: string; readonly part: number }
  /** Content that only this request knew (files, system prompt, synthetic results): kept with the manifest. */
  | { readonly from: 'snapshot' };

/** What a block is to the reader: the categories of the meter. */
export type Category = 'system' | 'rules' | 'references' | 'files' | 'tools' | 'conversation';

export interface Breakpoint {
  readonly ttl: '5m' | '1h';
}

/** One wire content part. */
export interface Block {
  /** Identity of the source: `system:global`, `file:src/a.ts`, `message:{id}/{part}`. Unique within a prompt. */
  readonly key: string;
  /** SHA-256 (hex) of the canonical JSON of role and part: equal hash, equal content. */
  readonly hash: string;
  readonly role: BlockRole;
  readonly part: WirePart;
  readonly source: BlockSource;
  readonly category: Category;
  /** Tokens of the content by the model's counter, without framing. */
  readonly tokens: number;
  readonly tier: Tier;
  readonly breakpoint: Breakpoint | null;
}

/**
 * A message on the wire; roles alternate strictly, the first one is the user's. Tool results are blocks (role
 * `tool-results`) of the user message directly after their calls, before any user content in it; a protocol
 * that wants them as messages of their own splits them off.
 */
export interface WireMessage {
  readonly role: 'user' | 'assistant';
  readonly blocks: readonly Block[];
}

/**
 * A provider-neutral request. Converters may split its messages (a protocol may want one message per tool
 * result) but never merge or reorder them.
 */
export interface Prompt {
  readonly tools: readonly Block[];
  readonly system: readonly Block[];
  readonly messages: readonly WireMessage[];
}

/** All blocks of a prompt in wire order. */
export function promptBlocks(prompt: Prompt): Block[] {
  return [...prompt.tools, ...prompt.system, ...prompt.messages.flatMap((message) => message.blocks)];
}
