/** A badge with the number of damaged lines. Its details are sentences per log file, and sentences about no file. */
export interface DamageView {
  readonly label: string;
  readonly files: readonly { readonly file: string; readonly notes: readonly string[] }[];
  readonly others: readonly string[];
}
