/** A top-level block of a Markdown text. `start`: offset of the block, which stays the same while the block grows. */
export type Block =
  | { readonly kind: 'html'; readonly start: number; readonly html: string }
  | GroupBlock
  | {
      readonly kind: 'code';
      readonly start: number;
      readonly language: string;
      readonly text: string;
      /** Whether the block is final, because no more text will be added. */
      readonly complete: boolean;
    };

/** A list, or a table with rows. The HTML of the block is `open`, then the items in order, then `close`. */
export interface GroupBlock {
  readonly kind: 'group';
  readonly start: number;
  readonly open: string;
  /** The HTML of each list item, or of each row in the table body. */
  readonly items: readonly string[];
  readonly close: string;
}
