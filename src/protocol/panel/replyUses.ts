import type { ItemUse } from '../../engine/context/use/itemUses.js';

export type { ItemUse };

/** Which items of its request a turn used: in its texts and tool calls, and by changed files. */
export interface ReplyUses {
  /** Number of items in the request without tools, and number of tools. */
  readonly items: number;
  readonly tools: number;
  /** The used items and tools by key. */
  readonly uses: Readonly<Record<string, readonly ItemUse[]>>;
}
