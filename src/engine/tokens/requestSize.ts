/**
 * Input tokens of a whole request, framing included, and what the figure rests on. `exact`: the model's own
 * tokenizer; `providerCount`: the provider counted this very request; `estimate`: another tokenizer's count,
 * corrected by what earlier requests reported.
 */
export interface RequestSize {
  /** The figure that meter, budget and bill all use. */
  readonly tokens: number;
  /** The model's counter's own figure, uncorrected: what the tokens of the blocks and the framing add up to. */
  readonly counted: number;
  readonly basis: 'exact' | 'providerCount' | 'estimate';
  /** The typical relative error of such estimates, measured on earlier requests; null before the first one. */
  readonly error: number | null;
}
