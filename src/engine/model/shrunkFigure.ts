/** A count that a provider reported during a reply, and later made smaller. */
export interface ShrunkFigure {
  /** The path of the count in the provider's usage object: `prompt_tokens_details.cached_tokens`. */
  readonly name: string;
  readonly earlier: number;
  /** Invalid below 0: the earlier count then applies. */
  readonly later: number;
}
