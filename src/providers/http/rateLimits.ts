import type { HeaderPairs } from '../../engine/model/httpExchange.js';
import type { RateLimit } from '../../engine/model/rateLimit.js';

/*
 * Headers of a response with the remaining rate limits:
 *
 * anthropic-ratelimit-{requests,tokens,input-tokens,output-tokens}-{limit,remaining,reset}   reset: RFC 3339
 * https://docs.claude.com/en/api/rate-limits#response-headers
 * x-ratelimit-{limit,remaining,reset}-{requests,tokens}   reset: a duration such as 6m0s
 * https://platform.openai.com/docs/guides/rate-limits#rate-limits-in-headers; the same at Groq, Azure and proxies
 * x-ratelimit-{limit,remaining,reset}-{requests,tokens}-{minute,hour,day}   reset: seconds
 * https://inference-docs.cerebras.ai/support/rate-limits
 * x-ratelimit-{limit,remaining,reset}-tokens-per-{minute,day}   reset: seconds since 1970
 * https://docs.digitalocean.com/products/inference/reference/quota-specific-response-headers/
 * x-ratelimit-{limit,remaining,reset}   of requests, in error responses; reset: milliseconds since 1970
 * https://openrouter.ai/docs/api_reference/limits
 */

const THINGS = ['requests', 'tokens', 'input-tokens', 'output-tokens'] as const;
const PERIODS = ['minute', 'hour', 'day'] as const;

const IN_NAMES = /^(?:anthropic|x)-ratelimit-/;

interface ReadLimits {
  readonly limits: readonly RateLimit[];
  /** Names of the headers with a reset time in an unknown format. */
  readonly unread: readonly string[];
}

const NO_LIMITS: ReadLimits = { limits: [], unread: [] };

/** Where the headers of one limit are. */
interface LimitNames extends Pick<RateLimit, 'of' | 'per'> {
  readonly name: (what: 'limit' | 'remaining' | 'reset') => string;
  /** Whether a plain number as reset time is a number of seconds from now on. */
  readonly isInSeconds: boolean;
}

const NAMES: readonly LimitNames[] = [
  { of: 'requests', name: (what) => `x-ratelimit-${what}`, isInSeconds: false },
  ...THINGS.flatMap((of): LimitNames[] => [
    { of, name: (what) => `anthropic-ratelimit-${of}-${what}`, isInSeconds: false },
    { of, name: (what) => `x-ratelimit-${what}-${of}`, isInSeconds: false },
    ...PERIODS.flatMap((per): LimitNames[] => [
      { of, per, name: (what) => `x-ratelimit-${what}-${of}-${per}`, isInSeconds: true },
      { of, per, name: (what) => `x-ratelimit-${what}-${of}-per-${per}`, isInSeconds: false },
    ]),
  ]),
];

/** Reads the rate limits in a response that arrived at `at` (epoch milliseconds). Omits missing and unknown values. */
export function rateLimits(headers: HeaderPairs, at: number): ReadLimits {
  const values = new Map(
    headers.map(([name, value]) => [name.toLowerCase(), value.trim()] as const).filter(([name]) => IN_NAMES.test(name)),
  );
  // Returns early, because most servers send no limits, and the panel calls this function for each reply.
  if (values.size === 0) {
    return NO_LIMITS;
  }
  const read = NAMES.map((names) => limitOf(values, names, at)).filter((each) => each !== null);
  return {
    limits: read.map(({ limit }) => limit),
    unread: read.flatMap(({ unread }) => unread),
  };
}

function limitOf(
  values: ReadonlyMap<string, string>,
  { of, per, name, isInSeconds }: LimitNames,
  at: number,
): { readonly limit: RateLimit; readonly unread: readonly string[] } | null {
  const [limit, remaining] = [count(values.get(name('limit'))), count(values.get(name('remaining')))];
  if (limit === null || limit === 0 || remaining === null) {
    return null;
  }
  const text = values.get(name('reset'));
  const resetsAt = text === undefined ? null : resetTime(text, at, isInSeconds);
  return {
    limit: { of, ...(per === undefined ? {} : { per }), limit, remaining, resetsAt },
    unread: text !== undefined && resetsAt === null ? [name('reset')] : [],
  };
}

function count(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** Matches a duration: `1h2m3.5s`, `12ms`. */
const DURATION = /^(?=\d)(?:(?<h>\d+)h)?(?:(?<m>\d+)m(?!s))?(?:(?<s>\d+(?:\.\d+)?)s)?(?:(?<ms>\d+(?:\.\d+)?)ms)?$/;
const DATE = /^\d{4}-\d\d-\d\dT/;
const NUMBER = /^\d+(?:\.\d+)?$/;

/** Plain numbers from this on are seconds since 1970: 1e9 is in 2001, and as a duration it would be 31 years. */
const EPOCH_SECONDS = 1e9;

/** Plain numbers from this on are milliseconds since 1970: 1e12 is in 2001, and 1e14 is later than any real reset. */
const EPOCH_MS = 1e12;

function resetTime(text: string, at: number, isInSeconds: boolean): number | null {
  if (NUMBER.test(text)) {
    return numberTime(Number(text), at, isInSeconds);
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

function numberTime(value: number, at: number, isInSeconds: boolean): number | null {
  if (value < EPOCH_SECONDS) {
    return isInSeconds ? Math.round(at + value * 1_000) : null;
  }
  const time = value < EPOCH_MS ? value * 1_000 : value;
  return time < EPOCH_MS * 100 ? Math.round(time) : null;
}
