/** A badge that names the damaged lines. Its details are sentences by log file, and sentences that concern no file. */
export interface DamageView {
  readonly label: string;
  readonly files: readonly { readonly file: string; readonly notes: readonly string[] }[];
  readonly others: readonly string[];
}
