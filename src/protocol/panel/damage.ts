/** The number of damaged lines in a badge. The details are sentences, grouped by log file if they belong to one. */
export interface DamageView {
  readonly label: string;
  readonly files: readonly { readonly file: string; readonly notes: readonly string[] }[];
  readonly others: readonly string[];
}
