import type { HeaderPairs } from '../../engine/model/httpExchange.js';

/*
 * Headers of a response with the remaining rate limits:
 *
 * anthropic-ratelimit-{requests,tokens,input-tokens,output-tokens}-{limit,remaining,reset}   reset: RFC 3339
 * https://docs.claude.com/en/api/rate-limits#response-headers
 * x-ratelimit-{limit,remaining,reset}-{requests,tokens}   reset: a duration such as 6m0s
 * https://platform.openai.com/docs/guides/rate-limits#rate-limits-in-headers; the same at Groq, Azure and proxies
 */

const THINGS = ['requests', 'tokens', 'input-tokens', 'output-tokens'] as const;

const IN_NAMES = /^(?:anthropic|x)-ratelimit-/;

export interface RateLimit {
  readonly of: (typeof THINGS)[number];
  readonly limit: number;
  readonly remaining: number;
  /** When the whole limit is available again, in epoch milliseconds. Null when unknown. */
  readonly resetsAt: number | null;
}

/** Reads the rate limits in a response that arrived at `at` (epoch milliseconds). Omits missing and unknown values. */
export function rateLimits(headers: HeaderPairs, at: number): readonly RateLimit[] {
  const values = new Map(
    headers.map(([name, value]) => [name.toLowerCase(), value.trim()] as const).filter(([name]) => IN_NAMES.test(name)),
  );
  // Returns early, because most servers send no limits, and the panel calls this function for each reply.
  if (values.size === 0) {
    return [];
  }
  return THINGS.flatMap((of) => {
    const read = (what: 'limit' | 'remaining' | 'reset'): string | undefined =>
      values.get(`anthropic-ratelimit-${of}-${what}`) ?? values.get(`x-ratelimit-${what}-${of}`);
    const [limit, remaining] = [count(read('limit')), count(read('remaining'))];
    return limit === null || limit === 0 || remaining === null ? [] : [{ of, limit, remaining, resetsAt: resetTime(read('reset'), at) }];
  });
}

function count(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** Matches a duration: `1h2m3.5s`, `12ms`. */
const DURATION = /^(?=\d)(?:(?<h>\d+)h)?(?:(?<m>\d+)m(?!s))?(?:(?<s>\d+(?:\.\d+)?)s)?(?:(?<ms>\d+(?:\.\d+)?)ms)?$/;
const DATE = /^\d{4}-\d\d-\d\dT/;

function resetTime(text: string | undefined, at: number): number | null {
  if (text === undefined) {
    return null;
  }
  if (DATE.test(text)) {
    const time = Date.parse(text);
    return Number.isNaN(time) ? null : time;
  }
  const parts = DURATION.exec(text)?.groups;
  if (parts === undefined) {
    return null;
  }
  const part = (unit: string): number => Number(parts[unit] ?? 0);
  return Math.round(at + ((part('h') * 60 + part('m')) * 60 + part('s')) * 1_000 + part('ms'));
}
