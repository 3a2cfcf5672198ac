import { outputLimit, promptBudget, type BudgetConfig } from '../budget/budget.js';
import type { CacheLifetime, CacheMode } from '../chat/settings/config.js';
import type { Model, RequestParams } from '../model/model.js';
import { arrange, type Arranged, type ArrangeInput, type Arrangement } from './arrange.js';
import type { BlockFactory } from './blockFactory.js';
import { shortWishes, systemEnd } from './layout/places.js';
import { mark, markAgain, type FrozenMarks, type Wish } from './mark.js';
import { promptBlocks, type Prompt } from '../model/prompt.js';
import { measure, type Counted, type Measured } from './measure/measure.js';
import { excessOf, type Excess } from './excess.js';

/*
 * Composes a request: gather, optimize, layout, adapt, mark, measure. The provider may count it before measure.
 * `fittedRequest` repeats these steps until the request fits. Each step is a pure function in its own file. The
 * preview, the meter, the manifest and the wire all use the result.
 */

export interface RequestInput extends ArrangeInput {
  readonly cacheMode: CacheMode;
  readonly cacheLifetime: CacheLifetime;
  /** The key of the chat's prefix, for a model that takes a cache key. */
  readonly cacheKey: string;
  /** See `RequestParams`. A function, because it searches all attempts and only some providers need it. */
  readonly previousResponseId: () => string | null;
  /** The breakpoints of the previous request, for a request for a summary. Null: place them again. */
  readonly frozenMarks: FrozenMarks | null;
}

/** A request before `measure`, ready to be counted by the provider. */
export interface DraftRequest extends Arranged {
  readonly cacheParams: Pick<RequestParams, 'cacheKey' | 'previousResponseId'>;
}

export interface Request extends DraftRequest, Measured {
  readonly params: RequestParams;
  readonly budget: number;
  /** The excess over the budget; such a request is not sent. Null when it fits. */
  readonly excess: Excess | null;
}

export function draftRequest(input: RequestInput, factory: BlockFactory): DraftRequest {
  return markedRequest(arrange(input, factory), input);
}

export function markedRequest({ wishes, ...arranged }: Arrangement, input: RequestInput): DraftRequest {
  const { model, prompt } = arranged;
  const { frozenMarks, cacheMode, cacheLifetime } = input;
  const marked =
    frozenMarks === null
      ? mark(prompt, inLifetime(wishesOf(wishes, prompt, cacheMode), cacheLifetime), model.capabilities.cache)
      : markAgain(prompt, frozenMarks);
  return { ...arranged, prompt: marked, cacheParams: cacheParams(input, prompt) };
}

function cacheParams({ model, cacheKey, previousResponseId }: RequestInput, prompt: Prompt): DraftRequest['cacheParams'] {
  const { capabilities, leftOut } = model;
  // A request without the conversation, such as one for a title, has nothing in common with the previous request.
  const isAlone = promptBlocks(prompt).every(({ source }) => source.from === 'snapshot');
  // Without diagnostics, the reply says nothing, which would look like no difference.
  const isRefused = leftOut?.includes('diagnostics') === true;
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

/** Applies the lifetime that the user has chosen, if any. */
function inLifetime(wishes: readonly Wish[], lifetime: CacheLifetime): readonly Wish[] {
  return lifetime === 'automatic' ? wishes : wishes.map(({ at }) => ({ at, isLong: lifetime === '1h' }));
}

/** Returns the members that requests to a model do not send, as a request parameter. */
export function leftOutOf({ leftOut }: Pick<Model, 'leftOut'>): Pick<RequestParams, 'leftOut'> {
  return leftOut === undefined ? {} : { leftOut };
}

export function measuredRequest(draft: DraftRequest, config: BudgetConfig, counted: Counted): Request {
  const { model, prompt } = draft;
  const measured = measure(prompt, model, counted);
  const budget = promptBudget(config, model);
  const params = {
    maxOutputTokens: outputLimit(model, measured.size),
    extraBody: model.extraBody,
    ...draft.cacheParams,
    ...leftOutOf(model),
  };
  return { ...draft, ...measured, params, budget, excess: excessOf(prompt, measured.size, budget) };
}
