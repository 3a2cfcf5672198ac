/** A top-level block of a Markdown text. `start`, its offset in the text, identifies the block while it is open. */
export type Block =
  | { readonly kind: 'html'; readonly start: number; readonly html: string }
  | GroupBlock
  | {
      readonly kind: 'code';
      readonly start: number;
      readonly language: string;
      readonly text: string;
      /** Whether the block will not grow any more. */
      readonly complete: boolean;
    };

/** A list, or a table with rows. Its HTML is `open`, the items in order, then `close`. */
export interface GroupBlock {
  readonly kind: 'group';
  readonly start: number;
  readonly open: string;
  /** The HTML of each list item, or of each row in the body of the table. */
  readonly items: readonly string[];
  readonly close: string;
}
