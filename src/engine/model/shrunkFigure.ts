/** A count that a provider reported while it answered, and later made smaller. */
export interface ShrunkFigure {
  /** The names of its members, as the provider has them: `prompt_tokens_details.cached_tokens`. */
  readonly name: string;
  readonly earlier: number;
  /** Below 0 it cannot be: then the earlier one counts. */
  readonly later: number;
}
