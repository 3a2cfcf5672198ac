import type { Usage } from '../model/usage.js';
import { figureValue, inputTokens } from '../model/usage.js';
import { priceOfReply } from '../model/price.js';
import type { ComposedRequest } from './compose.js';
import { refusedMembersOf } from '../request/request.js';

/** The text after the cached prompt, because a request must end with a user message. The reply is not used. */
export const KEEP_WARM_TEXT = 'Reply with OK.';

/** A request that keeps the cache of a chat, and writes nothing to it. */
export interface KeepWarmRequest {
  readonly composed: ComposedRequest;
  /** Its highest cost in US dollars: a model with a thinking budget may use all of it. */
  readonly cost: number;
  /** Tokens that it is expected to read from the cache. */
  readonly read: number;
  /** How long it keeps the cache, in ms. */
  readonly lifetime: number;
}

/**
 * Returns the smallest request that keeps what the cache has of `composed`, a request that repeats the prompt of the
 * last reply and ends with `KEEP_WARM_TEXT`. Null without a price, if the cache has nothing, or if the request would
 * write to the cache.
 */
export function keepWarmRequest(composed: ComposedRequest): KeepWarmRequest | null {
  const { model, size, inputs, client, forecast, prompt } = composed;
  const maxOutputTokens = leastOutput(model.extraBody);
  const outputCost = priceOfReply(maxOutputTokens, size.tokens, model.prices);
  if (forecast === null || forecast.lifetime === null || forecast.costNow === null || outputCost === null || forecast.parts.written > 0) {
    return null;
  }
  const params = { ...composed.params, maxOutputTokens };
  const own = { maxOutputTokens, extraBody: model.extraBody, ...composed.cacheParams, ...refusedMembersOf(model) };
  return {
    composed: { ...composed, params, wire: () => client.convert(model, prompt, own, inputs.images) },
    cost: forecast.costNow + outputCost,
    read: forecast.parts.read,
    lifetime: forecast.lifetime,
  };
}

/**
 * Returns the least limit of output tokens that leaves the rest of the request unchanged. Without more tokens than the
 * thinking budget, Loupe must turn off thinking, and then the provider does not find the conversation in its cache.
 */
function leastOutput(extraBody: ComposedRequest['model']['extraBody']): number {
  const thinking = extraBody['thinking'] ?? null;
  const budget = typeof thinking === 'object' && thinking !== null && 'budget_tokens' in thinking ? thinking['budget_tokens'] : null;
  return typeof budget === 'number' ? budget + 1 : 1;
}

/** The share of the expected cache reads below which the provider has not read the cache. */
const LEAST_READ = 0.5;

/** Whether the provider charged a keep-warm request without reading the cache. False when it reported nothing. */
export function chargedWithoutCache(usage: Usage | null, expectedRead: number): boolean {
  const read = figureValue(usage?.cacheReadInputTokens ?? null);
  return usage !== null && read !== null && inputTokens(usage) !== null && read < expectedRead * LEAST_READ;
}
