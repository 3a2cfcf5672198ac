/** A token count and its source: the provider's figure, or Loupe's own count. */
export interface Figure {
  readonly value: number;
  readonly source: 'reported' | 'estimated';
}

/**
 * The usage of one attempt, in tokens. The four parts never overlap: the whole input is
 * `promptTokens + cacheReadInputTokens + cacheCreationInputTokens`. Null is unknown, not 0.
 */
export interface Usage {
  /** Input that was neither read from nor written to the cache. */
  readonly promptTokens: Figure | null;
  readonly cacheReadInputTokens: Figure | null;
  readonly cacheCreationInputTokens: Figure | null;
  /** The cache writes by time to live; null when the provider does not tell. */
  readonly cacheCreation: { readonly fiveMinutes: number; readonly oneHour: number } | null;
  readonly completionTokens: Figure | null;
  /** The provider's word for the tier, where that may have a price of its own: `priority`. Missing for the usual tier. */
  readonly serviceTier?: string;
  /** Where it is there: the provider bills more than these tokens, for example searches. */
  readonly isMoreBilled?: true;
  /** The requests that the provider made of this one, each billed alone; the figures above are their sums. Missing where it made one. */
  readonly iterations?: readonly IterationUsage[];
  /** US dollars that the provider says it has charged, all included. Missing where it does not say. */
  readonly charged?: number;
}

/** One of several requests that the provider made of one. */
export interface IterationUsage
  extends Pick<Usage, 'promptTokens' | 'cacheReadInputTokens' | 'cacheCreationInputTokens' | 'cacheCreation' | 'completionTokens'> {
  /** The id of another model than the one that was asked. Missing where it is the same. */
  readonly model?: string;
}

/** Sums over attempts, in tokens. Unknown figures are not in the sums. */
export interface UsageTotals {
  readonly attempts: number;
  readonly promptTokens: number;
  readonly cacheReadInputTokens: number;
  readonly cacheCreationInputTokens: number;
  readonly completionTokens: number;
  /**
   * Number of attempts whose usage or price is unknown, or only known at least: if there are any, the sums are lower
   * bounds. Attempts that no provider bills (`isUnbilled`) are not among them.
   */
  readonly unknownAttempts: number;
  /** US dollars; null when no attempt has a known cost that somebody billed. */
  readonly cost: number | null;
}

/** What the answer to a message took, with all its requests. */
export interface AnswerSpent {
  /** Of input and output. */
  readonly tokens: number;
  /** US dollars; null when no price is known. */
  readonly usd: number | null;
  /** Whether usage or price of a request is unknown, so that the figures are lower bounds. */
  readonly isAtLeast: boolean;
  /** Whether no request of it is billed: then the price is only for show. */
  readonly isPretended: boolean;
}

export function figureValue(figure: Figure | null): number | null {
  return figure === null ? null : figure.value;
}

/** A usage as evidence of what was sent. Null where the provider made several requests of it, whose sums say nothing of one. */
export function usageOfOneRequest(usage: Usage | null): Usage | null {
  return usage?.iterations === undefined ? usage : null;
}

/**
 * The whole input of an attempt in tokens; null when a part is unknown. If both cache figures are missing, there was no
 * cache: `promptTokens` is the whole.
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
