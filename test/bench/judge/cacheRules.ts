/** The unit of all costs: a token of input that no cache reads or writes. Output is not counted. */
export const FRESH_PRICE = 1;

/** Anthropic's "Prompt caching" and "Pricing", with the minimum of most models. Seconds from the last use. */
export const ANTHROPIC = {
  mostBreakpoints: 4,
  lookBack: 20,
  minimumTokens: 1_024,
  lifetimes: { '5m': { seconds: 300, write: 1.25 }, '1h': { seconds: 3_600, write: 2 } },
  read: 0.1,
} as const;
