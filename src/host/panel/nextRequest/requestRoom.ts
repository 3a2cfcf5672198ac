import type { ComposedRequest } from '../../../engine/next/compose.js';
import type { RequestRoom } from '../../../protocol/panel/nextRequest.js';
import { overBudget } from '../../request/sizeTexts.js';
import type { ChatConfig } from '../../../engine/chat/settings/config.js';
import { isAutomatic } from '../../../engine/compaction/settings.js';
import { costOfShortening } from '../../../engine/compaction/summaryPrice.js';
import { billedPrices } from '../../../engine/model/price.js';
import { fitsWithNote, fitsWithSummary, shorteningOf } from '../../../engine/next/room.js';
import { messageImageProblem } from '../../request/imageProblem.js';

/** Returns whether a request can be sent: its images, and whether it fits into the context window or how it can fit. */
export function requestRoom(composed: ComposedRequest, config: ChatConfig): RequestRoom {
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
