import { type BudgetConfig, outputLimit, promptBudget } from '../budget/budget.js';
import type { CacheLifetime, CacheMode } from '../chat/settings/config.js';
import type { Model, RequestParams } from '../model/model.js';
import { type ArrangeInput, type ArrangedContents, type Arrangement, arrange } from './arrange.js';
import type { BlockFactory } from './blockFactory.js';
import { shortWishes, systemEnd } from './layout/breakpointPlaces.js';
import { type FrozenBreakpoints, type Wish, placeBreakpoints, repeatBreakpoints } from './placeBreakpoints.js';
import { type Prompt, promptBlocks } from '../model/prompt.js';
import { type OtherCounts, type RequestMeasurement, measure } from './measure/measure.js';
import type { RequestSize } from '../record/requestSize.js';

export interface Excess {
  readonly tokens: number;
  readonly budget: number;
  readonly parts: number;
  /** The largest blocks, with tokens by the model's counter. Empty when no block is large. */
  readonly largest: readonly { readonly key: string; readonly tokens: number }[];
}

/** Minimum share of the request that makes a block large. Removing a smaller block would not help much. */
const LARGE_SHARE = 0.1;

/** Maximum number of large blocks in an error message: enough to see what to remove, few enough for one line. */
const LARGEST_NAMED = 3;

function excessOf(prompt: Prompt, { tokens }: RequestSize, budget: number): Excess | null {
  if (tokens <= budget) {
    return null;
  }
  const blocks = promptBlocks(prompt).toSorted((a, b) => b.tokens - a.tokens);
  const isOneLarge = (blocks[0]?.tokens ?? 0) >= tokens * LARGE_SHARE;
  const largest = isOneLarge ? blocks.slice(0, LARGEST_NAMED).map((block) => ({ key: block.key, tokens: block.tokens })) : [];
  return { tokens, budget, parts: blocks.length, largest };
}

/*
 * Composes a request: gather, optimize, layout, adapt, place breakpoints, measure. The provider may count the tokens
 * before `measure`. `fittedRequest` repeats these steps until the request fits. Each step is a pure function in its own
 * file. The preview, the meter, the manifest and the wire all use the result.
 */

export interface RequestInput extends ArrangeInput {
  readonly cacheMode: CacheMode;
  readonly cacheLifetime: CacheLifetime;
  /** The key of the chat's prefix, for a model that takes a cache key. */
  readonly cacheKey: string;
  /** See `RequestParams`. This is a function, because it searches all attempts and only some providers need it. */
  readonly previousResponseId: () => string | null;
  /** The breakpoints of the previous request, for a request for a summary. Null: choose new breakpoints. */
  readonly frozenBreakpoints: FrozenBreakpoints | null;
}

/** A request before `measure`, ready to be counted by the provider. `prompt` has breakpoints. */
export interface UnmeasuredRequest extends Pick<Request, 'prompt' | 'cacheParams'> {
  readonly arrangement: ArrangedContents;
}

export interface Request extends ArrangedContents, RequestMeasurement {
  readonly cacheParams: Pick<RequestParams, 'cacheKey' | 'previousResponseId'>;
  readonly params: RequestParams;
  readonly budget: number;
  /** How far the request is over its budget. Loupe does not send such a request. Null when the request fits. */
  readonly excess: Excess | null;
}

export function unmeasuredRequest(input: RequestInput, factory: BlockFactory): UnmeasuredRequest {
  return requestWithBreakpoints(arrange(input, factory), input);
}

export function requestWithBreakpoints(arrangement: Arrangement, input: RequestInput): UnmeasuredRequest {
  const { model, prompt, wishes } = arrangement;
  const { frozenBreakpoints, cacheMode, cacheLifetime } = input;
  const marked =
    frozenBreakpoints === null
      ? placeBreakpoints(prompt, inLifetime(wishesOf(wishes, prompt, cacheMode), cacheLifetime), model.capabilities.cache)
      : repeatBreakpoints(prompt, frozenBreakpoints);
  return { cacheParams: cacheParams(input, prompt), arrangement, prompt: marked };
}

function cacheParams({ model, cacheKey, previousResponseId }: RequestInput, prompt: Prompt): Request['cacheParams'] {
  const { capabilities, refusedMembers } = model;
  // A request without the conversation, such as for a title, shares nothing that the provider could compare.
  const isAlone = promptBlocks(prompt).every(({ source }) => source.from === 'snapshot');
  // A server that refuses `diagnostics` compares nothing. Loupe would then take the missing result for "no difference".
  const isRefused = refusedMembers?.includes('diagnostics') === true;
  return {
    ...(capabilities.cacheKey ? { cacheKey } : {}),
    ...(capabilities.cacheDiagnostics && !isAlone && !isRefused ? { previousResponseId: previousResponseId() } : {}),
  };
}

function wishesOf(wishes: Arrangement['wishes'], prompt: Prompt, cacheMode: CacheMode): readonly Wish[] {
  switch (cacheMode) {
    case 'all-off':
      return [];
    case 'system':
      return shortWishes(systemEnd(prompt));
    case 'cached':
      return wishes(prompt);
  }
}

/** Applies the lifetime that the user has chosen. */
function inLifetime(wishes: readonly Wish[], lifetime: CacheLifetime): readonly Wish[] {
  return lifetime === 'automatic' ? wishes : wishes.map(({ at }) => ({ at, isLong: lifetime === '1h' }));
}

/** Returns the members that requests omit because the model refuses them, as a request parameter. */
export function refusedMembersOf({ refusedMembers }: Pick<Model, 'refusedMembers'>): Pick<RequestParams, 'leftOut'> {
  return refusedMembers === undefined ? {} : { leftOut: refusedMembers };
}

/** Lists each member for speed: V8 takes about ten times as long for spreads, and this runs at each key press. */
export function measuredRequest(
  { arrangement, prompt, cacheParams }: UnmeasuredRequest,
  config: BudgetConfig,
  counted: OtherCounts,
): Request {
  const { model } = arrangement;
  const { size, framingTokens, inputCost } = measure(prompt, model, counted);
  const budget = promptBudget(config, model);
  return {
    params: { maxOutputTokens: outputLimit(model, size), extraBody: model.extraBody, ...cacheParams, ...refusedMembersOf(model) },
    budget,
    excess: excessOf(prompt, size, budget),
    size,
    framingTokens,
    inputCost,
    cacheParams,
    model,
    prompt,
    layout: arrangement.layout,
    offersTools: arrangement.offersTools,
    cuts: arrangement.cuts,
    repeated: arrangement.repeated,
    forgotten: arrangement.forgotten,
    excludedTurns: arrangement.excludedTurns,
    adaptations: arrangement.adaptations,
    toolNames: arrangement.toolNames,
    ends: arrangement.ends,
    imageLimits: arrangement.imageLimits,
    onDemand: arrangement.onDemand,
  };
}
