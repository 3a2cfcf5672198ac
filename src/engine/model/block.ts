import type { Ttl } from './cacheRules.js';
import type { Json, JsonObject } from '../json.js';

/** The role of a block on the wire. `tools` are definitions; they come first. */
export type BlockRole = 'tools' | 'system' | 'user' | 'assistant' | 'tool-results';

/** A tool as the model sees it. */
export interface ToolDefinition {
  readonly type: 'toolDefinition';
  readonly name: string;
  readonly description: string;
  readonly schema: Json;
  /** Whether the tool is defined only because the conversation names it. The model may not call it. */
  readonly isRetired: boolean;
  /** Where it is there, the definition is not in the prompt but where a result refers to it. */
  readonly isDeferred?: true;
}

/** The content of a block: one wire content part, provider-neutral. */
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

/** Stability tiers, most stable first; the plain layout knows only `active`. */
export type Tier = 'L0' | 'L1' | 'L2' | 'L3' | 'active';

/**
 * How a block holds its item:
 *
 * - `full`: the whole text.
 * - `cut`: its beginning, because the request has no room for more.
 * - `difference`: the difference to an earlier copy in the prompt.
 * - `superseded`: a copy that a later one in the prompt replaces.
 * - `carried`: from an earlier request, no longer picked.
 */
export type BlockForm = 'full' | 'cut' | 'difference' | 'superseded' | 'carried';

/** Where a rebuild of the request finds a block's content. */
export type BlockSource =
  /** Part `part` of a message in the log. */
  | { readonly from: 'message'; readonly messageId: string; readonly part: number }
  /** Content of this request only (files, system prompt, synthetic results). The manifest holds it. */
  | { readonly from: 'snapshot' };

/** The meter's category of a block. */
export type Category = 'system' | 'rules' | 'references' | 'skills' | 'files' | 'tools' | 'conversation';

export interface Breakpoint {
  readonly ttl: Ttl;
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
  /** Key of the block's context item; null for a block without one. */
  readonly item: string | null;
  readonly form: BlockForm;
  /**
   * The hash that a full copy of the item has in a message, for a block that stands for one: a difference, or a copy in the system
   * prompt. Missing for every other block.
   */
  readonly copyHash?: string;
  /** Tokens of the content by the model's counter, without framing. */
  readonly tokens: number;
  readonly tier: Tier;
  readonly breakpoint: Breakpoint | null;
}

/** Equal for blocks with the same content of an item, wherever and in whatever form they hold it. */
export function contentHash({ hash, copyHash }: Pick<Block, 'hash' | 'copyHash'>): string {
  return copyHash ?? hash;
}
