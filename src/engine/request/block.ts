import type { Json, JsonObject } from '../json.js';

/** The role of a block on the wire. `tools` are definitions, in front of everything else. */
export type BlockRole = 'tools' | 'system' | 'user' | 'assistant' | 'tool-results';

/** The definition of a tool: what a model knows of it. */
export interface ToolDefinition {
  readonly type: 'toolDefinition';
  readonly name: string;
  readonly description: string;
  readonly schema: Json;
  /** The tool is defined only because the conversation names it: the model may not call it. */
  readonly isRetired: boolean;
}

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
  | ToolDefinition;

export type WireResultContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly blob: string; readonly mimeType: string };

/** Stability tiers, most stable first; the plain layout knows only `active`. */
export type Tier = 'L0' | 'L1' | 'L2' | 'L3' | 'active';

/**
 * How a block stands for its item: `full` text; the `difference` to a copy further in front; a copy `superseded` by
 * one further behind; `carried`, from an earlier request and no longer picked.
 */
export type BlockForm = 'full' | 'difference' | 'superseded' | 'carried';

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
  /** Key of the context item that the block carries; null for one that carries none. */
  readonly item: string | null;
  readonly form: BlockForm;
  /** Tokens of the content by the model's counter, without framing. */
  readonly tokens: number;
  readonly tier: Tier;
  readonly breakpoint: Breakpoint | null;
}
