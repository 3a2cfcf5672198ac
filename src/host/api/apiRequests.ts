import type { Forecast } from '../../engine/cache/forecast.js';
import type { Block } from '../../engine/model/block.js';
import { promptBlocks } from '../../engine/model/prompt.js';
import { type ComposedRequest, shownTokens } from '../../engine/next/compose.js';
import { contextIn } from '../../engine/request/rebuild.js';
import type { ApiBlock, ApiForecast, ApiPreview, ApiRequest } from '../../protocol/api/api.js';
import type { ChatSession } from '../chat/chatSession.js';
import { messageImageProblem, otherAdaptations } from '../request/imageProblem.js';
import { droppedSentences, overBudget, adaptationSentences } from '../request/sizeTexts.js';
import { apiItems } from './apiMessages.js';
import type { Diagnosis } from '../../engine/diagnosis/diagnosis.js';
import type { FirstDifference } from '../../engine/diagnosis/firstDifference.js';
import { failure } from '../../engine/errors.js';
import type { ApiDiagnosis, ApiDifference } from '../../protocol/api/apiDiagnosis.js';
import { attemptReplays, type DiagnosisPorts, hintAmong } from '../request/verdict/attemptDiagnosis.js';
import { attemptOfReply } from '../request/rebuildRequest.js';
import { verdictOf } from '../request/verdict/verdict.js';

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
  const { prompt, model, budget, size, records, forgotten } = composed;
  return {
    body: composed.wire().body,
    totalTokens: shownTokens(composed),
    budget,
    basis: composed.isPartial ? 'atLeast' : size.basis,
    error: size.error,
    adaptations: adaptationSentences(otherAdaptations(composed), model.label),
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

/** Explains the cost of an attempt, by the id of the attempt or of its reply. Rejects for an unknown id. */
export async function apiDiagnosis(session: ChatSession, id: string, ports: DiagnosisPorts): Promise<ApiDiagnosis> {
  const state = await session.whole();
  const attempt = attemptOfReply(state, id);
  if (attempt === undefined) {
    throw failure('chat.noRequestRecord');
  }
  const { diagnoses } = ports;
  const diagnosed = diagnoses.of(state, attempt);
  const replays = await attemptReplays({ state, attempt, diagnosed }, { ...ports, blobs: { get: (sha) => session.records.blob(sha) } });
  const hint = diagnosed === null ? null : (hintAmong(replays, attempt, diagnosed)?.text ?? null);
  return {
    attemptId: attempt.id,
    verdict: { ...verdictOf(attempt, diagnosed, diagnoses.modelOf(attempt)), hint },
    ...(diagnosed === null ? UNKNOWN_DIAGNOSIS : diagnosisFields(diagnosed.diagnosis)),
    providerDiagnosis: attempt.end?.providerDiagnosis ?? null,
    forecast: attempt.manifest.forecast ?? null,
    replays: replays.map(({ own, others }) => ({ own, others })),
  };
}

type DiagnosisFields = Omit<ApiDiagnosis, 'attemptId' | 'verdict' | 'providerDiagnosis' | 'forecast' | 'replays'>;

/** The diagnosis of a request whose record cannot be read. */
const UNKNOWN_DIAGNOSIS: DiagnosisFields = {
  cause: null,
  comparedWith: null,
  firstDifference: null,
  expectedTokens: null,
  readTokens: null,
  againTokens: null,
  againCost: null,
  costHadHeld: null,
};

function diagnosisFields({ cause, before, difference, expected, read, again, againCost, costHadHeld }: Diagnosis): DiagnosisFields {
  return {
    cause: cause.kind,
    comparedWith: before?.attempt.id ?? null,
    firstDifference: difference === null ? null : apiDifference(difference),
    expectedTokens: expected,
    readTokens: read,
    againTokens: again,
    againCost,
    costHadHeld,
  };
}

function apiDifference({ at, block, now, before }: FirstDifference): ApiDifference {
  return { at, key: block.key, hash: now?.hash ?? null, hashBefore: before?.hash ?? null };
}
