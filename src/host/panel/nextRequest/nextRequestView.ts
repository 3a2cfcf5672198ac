import { promptLimit } from '../../../engine/budget/budget.js';
import type { ChatState } from '../../../engine/chat/state.js';
import type { ComposedRequest } from '../../../engine/next/compose.js';
import { sumTokens } from '../../../engine/sumTokens.js';
import type { ProviderCount, RequestRoom, NextRequestView, Share } from '../../../protocol/panel/nextRequest.js';
import type { BlockView } from '../../../protocol/panel/requestRows.js';
import { isVscodeProvider } from '../../models/languageModels/providerIds.js';
import { newItems } from '../../request/excluded/notSelectedItems.js';
import { historyStatus } from '../../request/historyStatus.js';
import { adaptationSentences, overBudget, droppedSentences } from '../../request/sizeTexts.js';
import { repeatedRulesView } from './repeatedRules.js';
import { unusedItems, unusedServers } from './unusedItems.js';
import { isNewSummary, mayBeCached } from '../../../engine/next/mayBeCached.js';
import { HELD_CATEGORIES } from '../../../engine/accounting/requestHeld.js';
import { typicalReply } from '../../../engine/accounting/usualCosts.js';
import type { Model } from '../../../engine/model/model.js';
import { modelKey } from '../../../engine/model/modelRef.js';
import { forecastView } from '../../request/forecast/forecastView.js';
import { uncachedView } from '../../request/forecast/uncachedView.js';
import type { ChatConfig } from '../../../engine/chat/settings/config.js';
import { isAutomatic } from '../../../engine/compaction/settings.js';
import { costOfShortening } from '../../../engine/compaction/summaryPrice.js';
import { billedPrices } from '../../../engine/model/price.js';
import { fitsWithNote, fitsWithSummary, shorteningOf } from '../../../engine/next/room.js';
import { messageImageProblem } from '../../request/imageProblem.js';
import { latestCut } from '../../../engine/tokens/calibration.js';
import { tokens } from '../../../protocol/numbers.js';
import { changedTools } from './requestServers.js';

/** Returns the figures of the next request that follow from the chat alone. `blocks` are the rows of the request. */
export function nextRequestView(
  composed: ComposedRequest,
  blocks: readonly BlockView[],
  state: ChatState,
): Omit<NextRequestView, 'summary' | 'observation' | 'unknownServers' | 'unusual'> {
  const { config } = state;
  const { adaptations, budget, size, isPartial, model, records, context } = composed;
  return {
    totalTokens: size.tokens,
    basis: isPartial ? 'atLeast' : size.basis,
    providerCount: providerCount(composed),
    error: size.error,
    adaptations: adaptationSentences(adaptations, model.label),
    warnings: requestWarnings(composed, state),
    newItems: newItems(records),
    unused: unusedItems(composed, state),
    unusedServers: unusedServers(composed, state),
    repeatedRules: repeatedRulesView(composed),
    budget,
    limit: promptLimit(config, model),
    reservedTokens: config.reservedResponseTokens,
    shares: shares(blocks, size.counted),
    isRestricted: context.isRestricted,
    history: historyStatus(composed, config),
    ...requestPrice(composed, state),
    ...requestRoom(composed, config),
  };
}

/** Returns the tokens per category. `counted` is Loupe's own count of the whole request. */
function shares(blocks: readonly BlockView[], counted: number): readonly Share[] {
  const all: readonly Share[] = [
    ...HELD_CATEGORIES.map((category) => ({ category, tokens: sumTokens(blocks.filter((block) => block.category === category)) })),
    { category: 'framing', tokens: counted - sumTokens(blocks) },
  ];
  return all.filter(({ tokens }) => tokens > 0);
}

function providerCount({ counting }: ComposedRequest): ProviderCount | null {
  return counting === null
    ? null
    : { label: counting.label, isOn: counting.countsTokens, switchable: isVscodeProvider(counting.id) ? null : counting.id };
}

type PriceView = Pick<NextRequestView, 'inputCost' | 'forecast' | 'uncached' | 'mayBeCached' | 'isRewritten' | 'reply' | 'isPretended'>;

/** Returns what a request and its reply cost, and the expected cache use. A partly counted input has no price. */
function requestPrice(composed: ComposedRequest, state: ChatState): PriceView {
  const { model, isPartial } = composed;
  const forecast = isPartial ? null : composed.forecast;
  const inputCost = isPartial ? null : forecast === null ? composed.inputCost : forecast.costNow;
  return {
    inputCost,
    forecast: forecast === null ? null : forecastView({ ...composed, forecast }, state),
    uncached: isPartial ? null : uncachedView(composed, state),
    mayBeCached: composed.forecast === null && mayBeCached(state, model),
    isRewritten: isNewSummary(composed, state) && mayBeCached(state, model),
    reply: typicalReply(state, composed),
    isPretended: model.prices?.isPretended === true,
  };
}

/** Returns whether a request can be sent: its images, and whether it fits into the context window or how it can fit. */
function requestRoom(composed: ComposedRequest, config: ChatConfig): RequestRoom {
  const { model, isPartial } = composed;
  const isShortened = composed.excess !== null && isAutomatic(config) && fitsWithNote(composed, composed);
  const excess = isShortened ? null : overBudget(composed);
  return {
    isShortened,
    problem: messageImageProblem(composed) ?? excess,
    isOwnLimit: excess !== null && isOwnLimit(composed, config),
    assumedLimit: composed.isLimitAssumed ? { ...model.ref, label: model.label } : null,
    offersSummary: excess !== null && !isPartial && fitsWithSummary(composed, composed),
    shortening: excess === null ? null : shorteningView(composed),
  };
}

function shorteningView(composed: ComposedRequest): RequestRoom['shortening'] {
  const shortening = shorteningOf(composed, composed);
  const { budget, model } = composed;
  const prices = billedPrices(model.prices);
  return shortening === null ? null : { cost: prices === null ? null : costOfShortening({ ...shortening, budget }, prices) };
}

/** Whether the limits of the chat settings make the request too long, and not the limit of the model. */
function isOwnLimit(
  { excess, isPartial, isLimitAssumed, size, model: { maxInputTokens } }: ComposedRequest,
  { maxPromptTokens }: Pick<ChatConfig, 'maxPromptTokens'>,
): boolean {
  if (excess?.budget === 0) {
    return true;
  }
  if (maxInputTokens === null) {
    return !isLimitAssumed;
  }
  // When only a part was counted, the size is a minimum.
  return isPartial ? maxPromptTokens !== null && maxPromptTokens < maxInputTokens : size.tokens <= maxInputTokens;
}

/** Returns sentences about problems with a request, except problems of servers and spend limits. */
function requestWarnings(composed: ComposedRequest, state: ChatState): readonly string[] {
  const { model, records } = composed;
  return [...cutWarning(state, model), ...agentWarning(composed), ...changedTools(composed, state), ...droppedSentences(records)];
}

function agentWarning({ missingAgent, context }: ComposedRequest): readonly string[] {
  if (missingAgent === null) {
    return [];
  }
  return context.isRestricted
    ? [`In Restricted Mode, Loupe does not send the prompt of the agent ${missingAgent}. Trust this folder to send it.`]
    : [`The agent ${missingAgent} does not exist, so Loupe cannot send its prompt. Choose another agent in the chat settings.`];
}

/** Returns a warning when the server has probably cut the latest request of the chat. */
export function cutWarning({ lessons }: Pick<ChatState, 'lessons'>, { ref }: Pick<Model, 'ref'>): readonly string[] {
  const cut = latestCut(lessons.get(modelKey(ref))?.samples ?? []);
  return cut === null
    ? []
    : [
        `The server has probably cut your last request: Loupe counted ${tokens(cut.counted)} tokens, but the server reported ${tokens(cut.reported)}. ` +
          'Raise the context size of the server, or set maxInputTokens of the model to the context size of the server.',
      ];
}
