/**
 * Times to live of cache entries in seconds. They also say how a breakpoint is written: `5m` and `1h` as `cache_control`, the
 * member of Anthropic's Messages API that gateways take in Chat Completions too; `30m` as `prompt_cache_breakpoint`, the
 * member of OpenAI's content parts (GPT-5.6 and later).
 */
export const TTL_SECONDS = { '5m': 300, '30m': 1_800, '1h': 3_600 } as const;

export type Ttl = keyof typeof TTL_SECONDS;

/** How long entries live in ms, by what was asked for. */
export type Lifetimes = Readonly<Record<Ttl, number>>;

/** Entries live as long as they were asked to. */
export const ASKED_LIFETIMES: Lifetimes = {
  '5m': TTL_SECONDS['5m'] * 1_000,
  '30m': TTL_SECONDS['30m'] * 1_000,
  '1h': TTL_SECONDS['1h'] * 1_000,
};

export const TTLS = Object.keys(TTL_SECONDS) as readonly Ttl[];

/** The time to live that only `prompt_cache_breakpoint` knows. */
const OPENAI_TTL: Ttl = '30m';

/** A cache that works at breakpoints in the request. */
export interface MarkedCache {
  readonly kind: 'marks';
  /** Most breakpoints of a request; at least 1. */
  readonly most: number;
  /** Tokens of the shortest prefix that is cached. */
  readonly minimumTokens: number;
  /** Positions that a breakpoint looks back for an entry, itself included; null for no limit. */
  readonly lookBack: number | null;
  /** The times to live that a breakpoint may ask for, shortest first; at least one. */
  readonly lifetimes: readonly Ttl[];
}

/** A cache of prefixes that works unasked. */
export interface AutomaticCache {
  readonly kind: 'automatic';
  /** Tokens of the shortest prefix that is cached. */
  readonly minimumTokens: number;
  /** Beyond the minimum, a prefix is cached in steps of so many tokens. */
  readonly stepTokens: number;
  /** Seconds without use after which a prefix is gone. */
  readonly lifetimeSeconds: number;
}

/** How a provider caches prompts, as data: no provider or model name decides anything. */
export type CacheRules =
  | MarkedCache
  | AutomaticCache
  /** It caches nothing. */
  | { readonly kind: 'none' }
  /** Unknown whether and how it caches. */
  | { readonly kind: 'unknown' };

/** What the rules of a cache say against themselves, as the end of a sentence that begins with their name; null for nothing. */
export function contradictionIn(rules: CacheRules): string | null {
  if (rules.kind !== 'marks') {
    return null;
  }
  if (rules.lifetimes.includes(OPENAI_TTL) && rules.lifetimes.length > 1) {
    return `has lifetimes of two kinds of breakpoints: ${OPENAI_TTL} stands alone.`;
  }
  const isAscending = rules.lifetimes.every((ttl, at) => at === 0 || TTL_SECONDS[rules.lifetimes[at - 1] ?? ttl] < TTL_SECONDS[ttl]);
  return isAscending ? null : 'must name its lifetimes once each, the shortest first.';
}
