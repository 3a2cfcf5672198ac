/**
 * Input tokens of a whole request, with the tokens that the wire format adds, and the source of the figure:
 *
 * - `exact`: the tokenizer of the model counted.
 * - `providerCount`: the provider counted this request.
 * - `estimate`: another tokenizer counted, corrected by the usage that earlier requests reported.
 */
export interface RequestSize {
  /** The figure for meter, budget and price. */
  readonly tokens: number;
  /** The uncorrected figure of the model's counter: the tokens of all blocks, and those that the wire format adds. */
  readonly counted: number;
  readonly basis: 'exact' | 'providerCount' | 'estimate';
  /** The typical relative error of earlier estimates. Null without earlier requests, and if `basis` is no estimate. */
  readonly error: number | null;
}

/** Returns how much an estimate was corrected, as a share of the counted tokens. 0 if `basis` is no estimate. */
export function correctionOf({ basis, tokens, counted }: RequestSize): number {
  return basis !== 'estimate' || counted === 0 ? 0 : tokens / counted - 1;
}

/**
 * Scales the tokens of a part by the ratio of the request's calibrated size to its counted size. Parts then add up to
 * the budget and the bill. Lists of parts show unscaled tokens, because the ratio changes with each reply.
 */
export function scaledTokens(counted: number, size: RequestSize): number {
  return size.counted === 0 ? counted : Math.round((counted * size.tokens) / size.counted);
}
