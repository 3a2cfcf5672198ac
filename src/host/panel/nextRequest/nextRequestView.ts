import { promptLimit } from '../../../engine/budget/budget.js';
import type { ChatState } from '../../../engine/chat/state.js';
import { type ComposedRequest, shownTokens } from '../../../engine/next/compose.js';
import { sumTokens } from '../../../engine/sumTokens.js';
import type { ProviderCount, NextRequestView, Share } from '../../../protocol/panel/nextRequest.js';
import type { BlockView } from '../../../protocol/panel/requestRows.js';
import { isVscodeProvider } from '../../models/languageModels/providerIds.js';
import { newItems } from '../../request/excluded/notSelectedItems.js';
import { historyStatus } from '../../request/historyStatus.js';
import { requestPrice } from '../../request/forecast/requestPrice.js';
import { otherAdaptations } from '../../request/imageProblem.js';
import { adaptationSentences, droppedSentences } from '../../request/sizeTexts.js';
import { repeatedRulesView } from './repeatedRules.js';
import { unusedItems, unusedServers } from './unusedItems.js';
import { HELD_CATEGORIES } from '../../../engine/accounting/requestHeld.js';
import type { Model } from '../../../engine/model/model.js';
import { modelKey } from '../../../engine/model/modelRef.js';
import { latestCut } from '../../../engine/tokens/calibration.js';
import { tokens } from '../../../protocol/numbers.js';
import { changedTools } from './requestServers.js';
import { requestRoom } from './requestRoom.js';

/** The figures of the next request that follow from the chat alone. */
export type RequestOfChat = Omit<NextRequestView, 'summary' | 'observation' | 'unknownServers' | 'newToolsCost' | 'unusual' | 'titleCost'>;

/** `blocks` are the rows of the request. */
export function nextRequestView(composed: ComposedRequest, blocks: readonly BlockView[], state: ChatState): RequestOfChat {
  const { config } = state;
  const { budget, size, isPartial, model, records, context } = composed;
  return {
    totalTokens: shownTokens(composed),
    basis: isPartial ? 'atLeast' : size.basis,
    providerCount: providerCount(composed),
    error: size.error,
    adaptations: adaptationSentences(otherAdaptations(composed), model.label),
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
