import type { Usage } from '../../engine/model/usage.js';
import { type Json, type JsonObject, isObject } from '../../engine/json.js';
import { cacheCreation, reported } from '../usageMembers.js';
import { count, member } from '../json.js';

/*
 * Usage of Chat Completions servers. They share only `prompt_tokens` and `completion_tokens`. docs/servers.md lists
 * their other members and the sources.
 */

/** The place of a figure in the usage object: names of nested members. */
type FigurePath = readonly [string, ...string[]];

/** Places of the input tokens. Gateways to Anthropic's protocol use the second place. */
const INPUT: readonly FigurePath[] = [['prompt_tokens'], ['input_tokens']];
const OUTPUT: readonly FigurePath[] = [['completion_tokens'], ['output_tokens']];

/** Places of cache reads: OpenAI; DeepSeek; Moonshot and Together; LiteLLM with Anthropic; Mistral. */
const READ: readonly FigurePath[] = [
  ['prompt_tokens_details', 'cached_tokens'],
  ['prompt_cache_hit_tokens'],
  ['cached_tokens'],
  ['cache_read_input_tokens'],
  ['num_cached_tokens'],
];

/** Places of cache writes: OpenRouter; LiteLLM in two forms. */
const WRITTEN: readonly FigurePath[] = [
  ['prompt_tokens_details', 'cache_write_tokens'],
  ['prompt_tokens_details', 'cache_creation_tokens'],
  ['cache_creation_input_tokens'],
];

/** Places of cache writes by lifetime: LiteLLM, and gateways that pass on Anthropic's member. */
const WRITTEN_BY_LIFETIME: readonly FigurePath[] = [['prompt_tokens_details', 'cache_creation_token_details'], ['cache_creation']];

/** Places of reasoning tokens: OpenAI; Together and Kimi. */
const REASONING: readonly FigurePath[] = [['completion_tokens_details', 'reasoning_tokens'], ['reasoning_tokens']];

/** Places of numbers billed per use: searches, tools (OpenRouter), searches (Anthropic, Perplexity), sources (xAI). */
const PIECES: readonly FigurePath[] = [
  ['server_tool_use_details', 'tool_calls_executed'],
  ['server_tool_use_details', 'web_search_requests'],
  ['server_tool_use', 'web_search_requests'],
  ['num_search_queries'],
  ['num_sources_used'],
];

/** Returns the usage in a chunk. Moonshot sends it in the choice, older models of Groq send it in `x_groq`. */
export function usageIn(chunk: unknown, choice: unknown): JsonObject | undefined {
  return [member(chunk, 'usage'), member(choice, 'usage'), member(member(chunk, 'x_groq'), 'usage')].find(isObject);
}

/**
 * Normalizes a server's `usage`. Null without cache reads if input and output are missing or 0. `promptTokens` excludes
 * cache reads and writes. If a server reports nothing about its cache, both cache figures are unknown, and
 * `promptTokens` is the whole input.
 *
 * Automatic caches neither bill nor report writes, so a server that reports reads has written 0. With `explicitCache`
 * (breakpoints, whose writes are billed), a missing figure is unknown.
 *
 * Impossible figures (negative, fractional, text, more cached than input) are unknown, never 0. An input of 0 is also
 * unknown, because the request had content.
 */
export function normalizeUsage(raw: unknown, explicitCache: boolean): Usage | null {
  const input = figure(raw, INPUT);
  const completion = figure(raw, OUTPUT);
  const cache = cacheFigures(raw, explicitCache);
  if ((input ?? 0) === 0 && cache.read === null && (completion ?? 0) === 0) {
    return null;
  }
  const { fresh, read, written, isApart } = split(raw, input === 0 ? null : input, { ...cache, completion });
  return {
    promptTokens: reported(fresh),
    cacheReadInputTokens: reported(read),
    cacheCreationInputTokens: reported(written),
    cacheCreation: WRITTEN_BY_LIFETIME.map((place) => cacheCreation(valueAt(raw, place), written)).find((each) => each !== null) ?? null,
    completionTokens: reported(isApart ? completion : output(raw, input, completion)),
    ...(PIECES.some((place) => (figure(raw, [place]) ?? 0) > 0) ? { isMoreBilled: true } : {}),
    ...reportedCharge(raw),
  };
}

/** xAI reports charges in fractions of a dollar (https://docs.x.ai/developers/cost-tracking). */
const TICKS_PER_DOLLAR = 10_000_000_000;

/**
 * Returns the charge that the server reports. Ignores zeros. xAI documents US dollars, including searches. OpenRouter's
 * `cost` is in credits, equal to US dollars. With the user's own key (`is_byok`), another provider also charges, so
 * `cost` is incomplete. `cost_details` shows that `cost` is OpenRouter's: the currency of other servers is unknown.
 * https://openrouter.ai/docs/use-cases/usage-accounting
 */
function reportedCharge(raw: unknown): Pick<Usage, 'charged'> {
  const ticks = count(member(raw, 'cost_in_usd_ticks'));
  const credits = isObject(member(raw, 'cost_details')) && member(raw, 'is_byok') === false ? member(raw, 'cost') : undefined;
  const usd = ticks === null ? credits : ticks / TICKS_PER_DOLLAR;
  return typeof usd === 'number' && Number.isFinite(usd) && usd > 0 ? { charged: usd } : {};
}

interface CacheFigures {
  readonly read: number | null;
  readonly written: number | null;
}

function cacheFigures(raw: unknown, explicitCache: boolean): CacheFigures {
  const read = figure(raw, READ);
  const isWrittenSaid = WRITTEN.some((place) => (valueAt(raw, place) ?? null) !== null);
  return { read, written: !isWrittenSaid && read !== null && !explicitCache ? 0 : figure(raw, WRITTEN) };
}

interface InputSplit extends CacheFigures {
  readonly fresh: number | null;
  /** Whether the input figure excludes cached input, as in Anthropic's usage passed on by a gateway. */
  readonly isApart: boolean;
}

function split(
  raw: unknown,
  input: number | null,
  { read, written, completion }: CacheFigures & { completion: number | null },
): InputSplit {
  const cached = (read ?? 0) + (written ?? 0);
  if (input === null) {
    return { fresh: null, read, written, isApart: false };
  }
  const total = figure(raw, [['total_tokens']]);
  if (cached > 0 && total !== null && completion !== null && total === input + cached + completion) {
    return { fresh: input, read, written, isApart: true };
  }
  return cached > input
    ? { fresh: input, read: null, written: null, isApart: false }
    : { fresh: input - cached, read, written, isApart: false };
}

/**
 * Returns the billed output, including reasoning. OpenAI and most other servers include reasoning in
 * `completion_tokens`. xAI reports reasoning separately, Gemini not at all, but `total_tokens` includes the reasoning.
 */
function output(raw: unknown, input: number | null, completion: number | null): number | null {
  if (completion === null) {
    return null;
  }
  const reasoning = figure(raw, REASONING) ?? 0;
  const total = figure(raw, [['total_tokens']]);
  const rest = total === null || input === null ? 0 : total - input;
  // More reasoning than output means that the server reports reasoning separately, even if `total_tokens` disagrees.
  const least = reasoning > completion && rest !== completion ? completion + reasoning : completion;
  return Math.max(rest, least);
}

/** Returns the largest value among the places of a figure. A server with several places sends 0 in some. */
function figure(raw: unknown, places: readonly FigurePath[]): number | null {
  const told = places.map((place) => count(valueAt(raw, place))).filter((value) => value !== null);
  return told.length === 0 ? null : Math.max(...told);
}

function valueAt(raw: unknown, place: FigurePath): Json | undefined {
  let value = raw as Json | undefined;
  for (const name of place) {
    value = member(value, name);
  }
  return value;
}
