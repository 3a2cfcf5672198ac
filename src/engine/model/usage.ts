/** A token count and its source: the provider's figure, or Loupe's count. */
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
  /** Tokens of the cache writes by lifetime; null when the provider does not report lifetimes. */
  readonly cacheCreation: { readonly fiveMinutes: number; readonly oneHour: number } | null;
  readonly completionTokens: Figure | null;
  /** The provider's name of a service tier that can have other prices: `priority`. Missing for the usual tier. */
  readonly serviceTier?: string;
  /** Present when the provider bills more than these tokens, for example searches. */
  readonly isMoreBilled?: true;
  /** Usage of each separately billed request into which the provider divided this one. Missing if not divided. */
  readonly iterations?: readonly IterationUsage[];
  /** The total charge in US dollars that the provider reported. Missing when not reported. */
  readonly charged?: number;
}

export const NO_FIGURES: Usage = {
  promptTokens: null,
  cacheReadInputTokens: null,
  cacheCreationInputTokens: null,
  cacheCreation: null,
  completionTokens: null,
};

export interface IterationUsage
  extends Pick<Usage, 'promptTokens' | 'cacheReadInputTokens' | 'cacheCreationInputTokens' | 'cacheCreation' | 'completionTokens'> {
  /** The id of the model that answered. Missing if the requested model answered. */
  readonly model?: string;
}

/** Sums over attempts, in tokens. Unknown figures are not included. */
export interface UsageTotals {
  readonly attempts: number;
  readonly promptTokens: number;
  readonly cacheReadInputTokens: number;
  readonly cacheCreationInputTokens: number;
  readonly completionTokens: number;
  /** Number of billed attempts without a complete usage and price. If there are any, the sums are lower bounds. */
  readonly unknownAttempts: number;
  /** US dollars; null when no billed attempt has a known cost. */
  readonly cost: number | null;
}

/** Usage of all requests that led to the reply to a message. */
export interface ReplyUsage {
  /** Input and output tokens. */
  readonly tokens: number;
  /** US dollars; null when no price is known. */
  readonly usd: number | null;
  /** Whether usage or price of a request is unknown, so that the figures are lower bounds. */
  readonly isAtLeast: boolean;
  /** Whether the requests are not billed: the price is then only an example. */
  readonly isPretended: boolean;
}

export function figureValue(figure: Figure | null): number | null {
  return figure === null ? null : figure.value;
}

/** Returns the usage of a single request. Null if the provider made several: the usage is then their sum. */
export function usageOfOneRequest(usage: Usage | null): Usage | null {
  return usage?.iterations === undefined ? usage : null;
}

/**
 * Returns the whole input of an attempt in tokens; null when a part is unknown. When both cache figures are missing,
 * there was no cache: `promptTokens` is the whole input.
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
