import { outputLimit, promptBudget, type BudgetConfig } from '../budget/budget.js';
import type { CacheLifetime, CacheMode } from '../chat/config.js';
import type { LeftOut } from '../chat/leftOut.js';
import type { TextDifferences } from '../ports.js';
import type { FileCut } from '../context/fileCut.js';
import type { Model, RequestParams } from '../run/model.js';
import { adapt, type Adapted, type AdaptInput } from './adapt.js';
import type { BlockFactory } from './blockFactory.js';
import { forgottenTools } from './forgottenTools.js';
import { gather, type Said, type Sources } from './gather.js';
import type { LaidOut, Layout, LayoutOptions, Placed } from './layout/layout.js';
import { shortWishes, systemEnd } from './layout/places.js';
import type { Situation } from './layout/situation.js';
import type { ForgottenTools } from './manifest.js';
import { leftOutTurns, type LeftOutTurn } from './leftOutTurns.js';
import { mark, markAgain, type FrozenMarks, type Wish } from './mark.js';
import { optimize, type Optimized } from './optimize.js';
import { promptBlocks, type Prompt } from './prompt.js';
import { cutFiles } from './shownFiles.js';
import type { ToolMemory } from './toolMemory.js';
import { measure, type Counted, type Measured } from './measure.js';
import { excessOf, type Excess } from './excess.js';

/*
 * Composes a request in two parts, so that the provider may count it in between: gather, optimize, layout, adapt, mark; then
 * measure. `fittedRequest` does so until it fits. Each step is a pure function in its own file. The preview, the meter, the
 * manifest and the wire all use the value made here.
 */

export interface RequestInput extends Sources, AdaptInput {
  readonly toolMemory: ToolMemory;
  /** What the user has left out. */
  readonly leftOut: LeftOut;
  readonly layout: Layout;
  readonly situation: Situation;
  readonly layoutOptions: LayoutOptions;
  readonly differences: TextDifferences;
  /** Whether to leave out all that the request does not need, whatever that costs. */
  readonly mustRebuild: boolean;
  readonly cacheMode: CacheMode;
  readonly cacheLifetime: CacheLifetime;
  /** The key of the chat's prefix in the cache, for a model that takes one. */
  readonly cacheKey: string;
  /** For a provider that compares requests: see `RequestParams`. Only such a provider asks, as it looks through all attempts. */
  readonly previousResponseId: () => string | null;
  /** The breakpoints of the request before, for a request for a summary; null to place them anew. */
  readonly frozenMarks: FrozenMarks | null;
}

/** A request before `measure`: enough for the provider to count it. */
export interface DraftRequest extends Adapted, Pick<Optimized, 'offersTools'> {
  readonly cacheParams: Pick<RequestParams, 'cacheKey' | 'previousResponseId'>;
  readonly model: Model;
  /** Name of the layout. */
  readonly layout: string;
  /** The files that it does not hold whole, by the keys of their items. */
  readonly cuts: ReadonlyMap<string, FileCut>;
  /** The tool calls that it leaves out, oldest first. */
  readonly forgotten: readonly ForgottenTools[];
  /** The turns that the user has left out, oldest first. */
  readonly leftOutTurns: readonly LeftOutTurn[];
}

export interface Request extends DraftRequest, Measured {
  readonly params: RequestParams;
  /** Tokens that the whole request may have. */
  readonly budget: number;
  /** By how much the request is over the budget; such a request is not sent. Null when it fits. */
  readonly excess: Excess | null;
}

export function draftRequest(input: RequestInput, factory: BlockFactory): DraftRequest {
  const { model, layout, situation, layoutOptions: options, mustRebuild, differences, resultTexts, frozenMarks, files, shownLines } = input;
  const { groups, toolsLeftOut, offersTools } = optimize(gather(input, factory), input, factory);
  const laidOut = layout.lay(groups, { model, situation, options, mustRebuild, factory, resultTexts, differences });
  const adapted = adapt(laidOut, input, factory);
  const { prompt } = adapted;
  const adaptations = toolsLeftOut === 0 ? adapted.adaptations : { ...adapted.adaptations, toolsLeftOut };
  const marked =
    frozenMarks === null
      ? mark(prompt, inLifetime(wishesOf(laidOut, adapted, input.cacheMode), input.cacheLifetime), model.capabilities.cache)
      : markAgain(prompt, frozenMarks);
  const said = laidOut.messages.filter((unit): unit is Placed & Said => unit.kind !== 'blocks');
  return {
    ...{ ...adapted, adaptations, prompt: marked, cacheParams: cacheParams(input, prompt), model, layout: layout.name, offersTools },
    cuts: cutFiles(files, shownLines, factory),
    forgotten: forgottenTools(said, input, resultTexts, factory),
    leftOutTurns: leftOutTurns(groups.conversation, new Set(said.map(({ message }) => message.id)), resultTexts, factory),
  };
}

function cacheParams({ model, cacheKey, previousResponseId }: RequestInput, prompt: Prompt): DraftRequest['cacheParams'] {
  const { capabilities, leftOut } = model;
  // One that holds nothing of the conversation, as for a title, has nothing in common with the request before.
  const isAlone = promptBlocks(prompt).every(({ source }) => source.from === 'snapshot');
  // Its reply would tell nothing, which would read as nothing that differs.
  const isRefused = leftOut?.includes('diagnostics') === true;
  return {
    ...(capabilities.cacheKey ? { cacheKey } : {}),
    ...(capabilities.cacheDiagnostics && !isAlone && !isRefused ? { previousResponseId: previousResponseId() } : {}),
  };
}

function wishesOf(laidOut: LaidOut, { prompt, ends }: Adapted, cacheMode: CacheMode): readonly Wish[] {
  switch (cacheMode) {
    case 'all-off':
      return [];
    case 'system':
      return shortWishes(systemEnd(prompt));
    case 'cached':
      return laidOut.wishes(prompt, ends);
  }
}

/** The wishes with the lifetime that the user has chosen, if any. */
function inLifetime(wishes: readonly Wish[], lifetime: CacheLifetime): readonly Wish[] {
  return lifetime === 'automatic' ? wishes : wishes.map(({ at }) => ({ at, isLong: lifetime === '1h' }));
}

/** The members that requests to a model leave out, as a parameter of them. */
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
