import type { Usage } from '../../engine/model/usage.js';
import { isObject, type Json, type JsonObject } from '../../engine/json.js';
import { cacheCreation } from '../cacheCreation.js';
import { count, member } from '../json.js';
import { reported } from '../reported.js';

/*
 * The usage of Chat Completions servers. They agree on `prompt_tokens` and `completion_tokens`, and on nothing else.
 * docs/servers.md says which server has what, and where that was read.
 */

/** A place of a figure, as member names from the usage object on. */
type Place = readonly [string, ...string[]];

/** `input_tokens` and `output_tokens` come from gateways in front of Anthropic's protocol. */
const INPUT: readonly Place[] = [['prompt_tokens'], ['input_tokens']];
const OUTPUT: readonly Place[] = [['completion_tokens'], ['output_tokens']];

/** OpenAI's own; then DeepSeek, Moonshot and Together, LiteLLM in front of Anthropic, Mistral. */
const READ: readonly Place[] = [
  ['prompt_tokens_details', 'cached_tokens'],
  ['prompt_cache_hit_tokens'],
  ['cached_tokens'],
  ['cache_read_input_tokens'],
  ['num_cached_tokens'],
];

/** OpenRouter; then LiteLLM in its two forms. */
const WRITTEN: readonly Place[] = [
  ['prompt_tokens_details', 'cache_write_tokens'],
  ['prompt_tokens_details', 'cache_creation_tokens'],
  ['cache_creation_input_tokens'],
];

/** Writes by time to live: LiteLLM, and gateways that pass Anthropic's own on. */
const WRITTEN_BY_LIFETIME: readonly Place[] = [['prompt_tokens_details', 'cache_creation_token_details'], ['cache_creation']];

/** OpenAI's own; then Together and Kimi. */
const REASONING: readonly Place[] = [['completion_tokens_details', 'reasoning_tokens'], ['reasoning_tokens']];

/**
 * What is billed by the piece: searches and other tools of OpenRouter, searches of Anthropic behind a gateway and of
 * Perplexity, sources of xAI.
 */
const PIECES: readonly Place[] = [
  ['server_tool_use_details', 'tool_calls_executed'],
  ['server_tool_use_details', 'web_search_requests'],
  ['server_tool_use', 'web_search_requests'],
  ['num_search_queries'],
  ['num_sources_used'],
];

/**
 * The usage that a chunk holds; undefined without one. Moonshot sends it in the choice, Groq's older models only in
 * `x_groq`.
 */
export function usageIn(chunk: unknown, choice: unknown): JsonObject | undefined {
  return [member(chunk, 'usage'), member(choice, 'usage'), member(member(chunk, 'x_groq'), 'usage')].find(isObject);
}

/**
 * A server's `usage` in normalized form; null when it holds no figure at all. `promptTokens` is the input without cache
 * reads and cache writes. A server that reports nothing about its cache leaves both cache figures unknown, and
 * `promptTokens` is then the whole input.
 *
 * Automatic caches bill no writes and report none: a server that reports cache reads has written 0. `explicitCache`
 * says that the model takes breakpoints, whose writes are billed: then a missing figure is unknown.
 *
 * Impossible figures (negative, not a whole number, text, more cached than input) are unknown, never 0. So is an input
 * of 0: a prompt was sent.
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
    ...charged(raw),
  };
}

/** xAI counts its charges in parts of a dollar (https://docs.x.ai/developers/cost-tracking). */
const TICKS_PER_DOLLAR = 10_000_000_000;

/**
 * What the server says it has charged. xAI documents a figure in US dollars, searches included. OpenRouter's `cost` is in credits, which
 * are US dollars; with a key of one's own (`is_byok`) another provider charges, too, so it is not the whole then. Its form tells it from
 * others' `cost`, whose currency nobody says. https://openrouter.ai/docs/use-cases/usage-accounting. A zero says nothing.
 */
function charged(raw: unknown): Pick<Usage, 'charged'> {
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

interface Split extends CacheFigures {
  /** Input that was neither read nor written. */
  readonly fresh: number | null;
  /** Whether the cached input is not in the input figure, as with Anthropic's own figures that a gateway passes on. */
  readonly isApart: boolean;
}

function split(raw: unknown, input: number | null, { read, written, completion }: CacheFigures & { completion: number | null }): Split {
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
 * The output that is billed, with the reasoning. OpenAI and most others count reasoning in `completion_tokens`. xAI
 * counts it apart, and Gemini does not name it at all; their `total_tokens` has it.
 */
function output(raw: unknown, input: number | null, completion: number | null): number | null {
  if (completion === null) {
    return null;
  }
  const reasoning = figure(raw, REASONING) ?? 0;
  const total = figure(raw, [['total_tokens']]);
  const rest = total === null || input === null ? 0 : total - input;
  // More reasoning than output can only be apart, whatever the total says.
  const least = reasoning > completion && rest !== completion ? completion + reasoning : completion;
  return Math.max(rest, least);
}

/** The largest of a figure's places: servers that fill several leave zeros in the others. Null when none is a count. */
function figure(raw: unknown, places: readonly Place[]): number | null {
  const told = places.map((place) => count(valueAt(raw, place))).filter((value) => value !== null);
  return told.length === 0 ? null : Math.max(...told);
}

function valueAt(raw: unknown, place: Place): Json | undefined {
  let value = raw as Json | undefined;
  for (const name of place) {
    value = member(value, name);
  }
  return value;
}
