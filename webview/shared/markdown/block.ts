/** A top-level block of a Markdown text. `start` is its offset in the text and identifies it while it is open. */
export type Block =
  | { readonly kind: 'html'; readonly start: number; readonly html: string }
  | GroupBlock
  | {
      readonly kind: 'code';
      readonly start: number;
      readonly language: string;
      readonly text: string;
      /** False while the text still grows. */
      readonly complete: boolean;
    };

/** A list, or a table with rows. Its HTML is `open`, the items in order, then `close`. */
export interface GroupBlock {
  readonly kind: 'group';
  readonly start: number;
  readonly open: string;
  /** The HTML of each list item, or of each row in the table's body. */
  readonly items: readonly string[];
  readonly close: string;
}
