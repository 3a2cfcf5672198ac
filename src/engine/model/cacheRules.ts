/**
 * Lifetimes of cache entries in seconds. Each lifetime also selects the form of the breakpoint:
 *
 * - `5m` and `1h`: `cache_control` of Anthropic's Messages API, which gateways also accept in Chat Completions.
 * - `30m`: `prompt_cache_breakpoint` of OpenAI's content parts (GPT-5.6 and later).
 */
export const TTL_SECONDS = { '5m': 300, '30m': 1_800, '1h': 3_600 } as const;

export type Ttl = keyof typeof TTL_SECONDS;

/** Real lifetimes of cache entries in ms, by the lifetime that the request asked for. */
export type Lifetimes = Readonly<Record<Ttl, number>>;

/** The lifetimes of a cache that keeps entries as long as requested. */
export const ASKED_LIFETIMES: Lifetimes = {
  '5m': TTL_SECONDS['5m'] * 1_000,
  '30m': TTL_SECONDS['30m'] * 1_000,
  '1h': TTL_SECONDS['1h'] * 1_000,
};

export const TTLS = Object.keys(TTL_SECONDS) as readonly Ttl[];

/** The only lifetime of `prompt_cache_breakpoint`. */
const OPENAI_TTL: Ttl = '30m';

/** A cache that works at breakpoints in the request. */
export interface BreakpointCache {
  readonly kind: 'marks';
  /** The largest number of breakpoints in a request; at least 1. */
  readonly most: number;
  /** Tokens of the shortest prefix that is cached. */
  readonly minimumTokens: number;
  /** How many parts the provider searches backwards from a breakpoint, including the breakpoint's part. Null: all. */
  readonly lookBack: number | null;
  /** The lifetimes that a breakpoint can ask for, shortest first; at least one. */
  readonly lifetimes: readonly Ttl[];
}

/** A cache that finds equal prefixes automatically, without breakpoints. */
export interface AutomaticCache {
  readonly kind: 'automatic';
  readonly minimumTokens: number;
  /** Above the minimum, cached prefixes grow in steps of this many tokens. */
  readonly stepTokens: number;
  /** Seconds without use after which a prefix expires. */
  readonly lifetimeSeconds: number;
}

/** How a provider caches prompts, as data: the engine never decides by the name of a provider or model. */
export type CacheRules =
  | BreakpointCache
  | AutomaticCache
  | { readonly kind: 'none' }
  /** It is unknown whether and how the provider caches. */
  | { readonly kind: 'unknown' };

/** Returns the tokens of the shortest prefix that is cached. 0 when unknown. */
export function minimumTokensOf(rules: CacheRules): number {
  return rules.kind === 'marks' || rules.kind === 'automatic' ? rules.minimumTokens : 0;
}

/** Returns the contradiction in cache rules, as the end of a sentence. Null for consistent rules. */
export function contradictionIn(rules: CacheRules): string | null {
  if (rules.kind !== 'marks') {
    return null;
  }
  if (rules.lifetimes.includes(OPENAI_TTL) && rules.lifetimes.length > 1) {
    return `must not mix ${OPENAI_TTL} with other lifetimes: ${OPENAI_TTL} uses another kind of breakpoint.`;
  }
  const isAscending = rules.lifetimes.every((ttl, at) => at === 0 || TTL_SECONDS[rules.lifetimes[at - 1] ?? ttl] < TTL_SECONDS[ttl]);
  return isAscending ? null : 'must name its lifetimes once each, the shortest first.';
}
