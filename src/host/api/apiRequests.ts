import type { Forecast } from '../../engine/cache/forecast.js';
import type { Block } from '../../engine/model/block.js';
import { promptBlocks } from '../../engine/model/prompt.js';
import type { ComposedRequest } from '../../engine/next/compose.js';
import { contextIn } from '../../engine/request/rebuild.js';
import type { ApiBlock, ApiForecast, ApiPreview, ApiRequest } from '../../protocol/api/api.js';
import type { ChatSession } from '../chat/chatSession.js';
import { messageImageProblem } from '../request/imageProblem.js';
import { droppedSentences, overBudget, adaptationSentences } from '../request/sizeTexts.js';
import { apiItems } from './apiMessages.js';

export async function apiRequest(session: ChatSession, id: string): Promise<ApiRequest> {
  const { attempt, rebuilt } = await session.records.request(id);
  return {
    body: rebuilt.body,
    exact: rebuilt.note === null,
    note: rebuilt.note,
    totalTokens: attempt.manifest.size.tokens,
    blocks: promptBlocks(rebuilt.prompt).map(apiBlock),
  };
}

function apiBlock({ key, role, hash, tokens, breakpoint }: Block): ApiBlock {
  return { key, role, hash, tokens, breakpoint: breakpoint?.ttl ?? null };
}

export function apiPreview(composed: ComposedRequest): ApiPreview {
  const { prompt, model, adaptations, budget, size, records, forgotten } = composed;
  return {
    body: composed.wire().body,
    totalTokens: size.tokens,
    budget,
    basis: composed.isPartial ? 'atLeast' : size.basis,
    error: size.error,
    adaptations: adaptationSentences(adaptations, model.label),
    warnings: droppedSentences(records),
    problem: messageImageProblem(composed) ?? overBudget(composed),
    blocks: promptBlocks(prompt).map(apiBlock),
    ...apiItems(contextIn(records)),
    forgotten,
    forecast: composed.isPartial || composed.forecast === null ? null : apiForecast(composed.forecast, composed.turn),
  };
}

function apiForecast({ parts, costNow, costAfter, expiresAt }: Forecast, turn: ComposedRequest['turn']): ApiForecast {
  return { ...parts, costNow, costAfterExpiry: costAfter, expiresAt, turn };
}
