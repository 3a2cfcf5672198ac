import type { Ttl } from './cacheRules.js';
import type { Json, JsonObject } from '../json.js';

/** The role of a block in a request. Blocks with the role `tools` are tool definitions, which come first. */
export type BlockRole = 'tools' | 'system' | 'user' | 'assistant' | 'tool-results';

export interface ToolDefinition {
  readonly type: 'toolDefinition';
  readonly name: string;
  readonly description: string;
  readonly schema: Json;
  /** True when the tool is defined only because earlier messages name it. The model must not call it. */
  readonly isRetired: boolean;
  /** Present when the provider adds the definition to the prompt only after a tool result refers to it. */
  readonly isDeferred?: true;
}

/** The content of a block, in the same form for all providers. */
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
  | ToolDefinition;

export type WireResultContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly blob: string; readonly mimeType: string }
  | { readonly type: 'toolReference'; readonly name: string };

/** Stability tiers of blocks, the most stable first. The plain layout puts all blocks into `active`. */
export type Tier = 'L0' | 'L1' | 'L2' | 'L3' | 'active';

/**
 * How a block holds its item:
 *
 * - `full`: the whole text.
 * - `cut`: the beginning of the text, because the request has no room for more.
 * - `difference`: the difference to an earlier copy in the prompt.
 * - `superseded`: a copy that a later copy in the prompt replaces.
 * - `carried`: a copy from an earlier request that is still sent, although the item is no longer selected.
 */
export type BlockForm = 'full' | 'cut' | 'difference' | 'superseded' | 'carried';

/** Where Loupe finds the content of a block when it rebuilds the request. */
export type BlockSource =
  /** A part of a message in the log. `part` is the index of the part in the message. */
  | { readonly from: 'message'; readonly messageId: string; readonly part: number }
  /** Content of this request only (files, system prompt, synthetic results). The manifest stores the content. */
  | { readonly from: 'snapshot' };

/** The category of a block in the context meter. */
export type Category = 'system' | 'rules' | 'references' | 'skills' | 'files' | 'repository' | 'tools' | 'conversation' | 'editor';

export interface Breakpoint {
  readonly ttl: Ttl;
}

/** One content part of a request, with its source and its size. */
export interface Block {
  /** Identity of the source: `system:global`, `file:src/a.ts`, `message:{id}/{part}`. Unique within a prompt. */
  readonly key: string;
  /** SHA-256 (hex) of the canonical JSON of role and part: equal hash, equal content. */
  readonly hash: string;
  readonly role: BlockRole;
  readonly part: WirePart;
  readonly source: BlockSource;
  readonly category: Category;
  /** Key of the block's context item; null if the block belongs to no item. */
  readonly item: string | null;
  readonly form: BlockForm;
  /** The hash of a full copy of the item in a message. Present only for differences and in the system prompt. */
  readonly copyHash?: string;
  /** Tokens of the content by the model's counter, without the tokens that the wire format adds. */
  readonly tokens: number;
  readonly tier: Tier;
  readonly breakpoint: Breakpoint | null;
}

/** Returns a hash that is equal for all blocks with the same content of an item, at any place and in any form. */
export function contentHash({ hash, copyHash }: Pick<Block, 'hash' | 'copyHash'>): string {
  return copyHash ?? hash;
}
