import { promptLimit } from '../../../engine/budget/budget.js';
import type { ChatState } from '../../../engine/chat/state.js';
import type { ComposedRequest } from '../../../engine/next/compose.js';
import { sumTokens } from '../../../engine/sumTokens.js';
import type { ProviderCount } from '../../../protocol/panel/nextRequest.js';
import type { BlockView, Category } from '../../../protocol/panel/requestRows.js';
import type { NextRequestView, Share } from '../../../protocol/panel/view.js';
import { isVscodeProvider } from '../../models/languageModels/providerIds.js';
import { newItems } from '../../request/excluded/notSelectedItems.js';
import { historyStatus } from '../../request/historyStatus.js';
import { adaptationSentences } from '../../request/sizeTexts.js';
import { requestPrice } from './requestPrice.js';
import { requestRoom } from './requestRoom.js';
import { requestWarnings } from './requestWarnings.js';
import { unusedItems, unusedServers } from './unusedItems.js';

const CATEGORIES: readonly Category[] = ['system', 'rules', 'references', 'skills', 'files', 'tools', 'conversation', 'editor'];

/** Returns the figures of the next request, except the summary forecast. `blocks` are the rows of the request. */
export function nextRequestView(
  composed: ComposedRequest,
  blocks: readonly BlockView[],
  state: ChatState,
): Omit<NextRequestView, 'summary' | 'observation' | 'unknownServers'> {
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
    ...CATEGORIES.map((category) => ({ category, tokens: sumTokens(blocks.filter((block) => block.category === category)) })),
    { category: 'framing', tokens: counted - sumTokens(blocks) },
  ];
  return all.filter(({ tokens }) => tokens > 0);
}

function providerCount({ counting }: ComposedRequest): ProviderCount | null {
  return counting === null
    ? null
    : { label: counting.label, isOn: counting.countsTokens, switchable: isVscodeProvider(counting.id) ? null : counting.id };
}
