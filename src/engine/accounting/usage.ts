/** A token count and where it comes from: the provider's own figure, or a count made here. */
export interface Figure {
  readonly value: number;
  readonly source: 'reported' | 'estimated';
}

/**
 * What one attempt used, in tokens. The four parts never overlap: the whole input is
 * `promptTokens + cacheReadInputTokens + cacheCreationInputTokens`. Null is unknown, which is not 0.
 */
export interface Usage {
  /** Input that was neither read from nor written to the cache. */
  readonly promptTokens: Figure | null;
  readonly cacheReadInputTokens: Figure | null;
  readonly cacheCreationInputTokens: Figure | null;
  /** The written tokens by time to live, where the provider says. */
  readonly cacheCreation: { readonly fiveMinutes: number; readonly oneHour: number } | null;
  readonly completionTokens: Figure | null;
}

/** Sums over attempts, in tokens. What no attempt reported is in no sum. */
export interface UsageTotals {
  readonly attempts: number;
  readonly promptTokens: number;
  readonly cacheReadInputTokens: number;
  readonly cacheCreationInputTokens: number;
  readonly completionTokens: number;
  /**
   * Attempts whose usage or price is unknown: the sums are then lower bounds. One that was turned down before
   * anything came of it used nothing, which is known.
   */
  readonly unknownAttempts: number;
  /** US dollars; null when no attempt has a known cost. */
  readonly cost: number | null;
}

export function figureValue(figure: Figure | null): number | null {
  return figure === null ? null : figure.value;
}

/**
 * All input of an attempt in tokens; null when a part is unknown. Where nothing at all is said about a cache, what is
 * fresh is the whole.
 */
export function inputTokens(usage: Usage): number | null {
  const { promptTokens, cacheReadInputTokens, cacheCreationInputTokens } = usage;
  if (promptTokens !== null && cacheReadInputTokens === null && cacheCreationInputTokens === null) {
    return promptTokens.value;
  }
  if (promptTokens === null || cacheReadInputTokens === null || cacheCreationInputTokens === null) {
    return null;
  }
  return promptTokens.value + cacheReadInputTokens.value + cacheCreationInputTokens.value;
}
