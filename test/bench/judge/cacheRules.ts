import type { Ttl } from './content.js';

/** Prices are in relation to a token of the input that no cache has to do with; that is the unit of all costs. Output is left out. */
export const FRESH_PRICE = 1;

/** How long an entry lives after its last use, and what a token of it costs when it is written. */
export interface Lifetime {
  readonly seconds: number;
  readonly write: number;
}

/** A cache that works at breakpoints in the request. */
export interface BreakpointRules {
  readonly mostBreakpoints: number;
  /** Positions that a breakpoint looks back for an entry, itself included. */
  readonly lookBack: number;
  /** Tokens of the shortest prefix that is cached. */
  readonly minimumTokens: number;
  readonly lifetimes: Readonly<Record<Ttl, Lifetime>>;
  /** The price of a token that is read. */
  readonly read: number;
}

/** Anthropic's "Prompt caching" and "Pricing": four breakpoints, twenty positions; the minimum of most models. */
export const ANTHROPIC: BreakpointRules = {
  mostBreakpoints: 4,
  lookBack: 20,
  minimumTokens: 1_024,
  lifetimes: { '5m': { seconds: 300, write: 1.25 }, '1h': { seconds: 3_600, write: 2 } },
  read: 0.1,
};
