import type { WholeChat } from '../../engine/chat/state.js';
import type { FirstDifference } from '../../engine/diagnosis/firstDifference.js';
import { failure } from '../../engine/errors.js';
import type { ApiDiagnosis, ApiDifference } from '../../protocol/api.js';
import type { Diagnoses } from '../request/diagnoses.js';
import { attemptBehind } from '../request/rebuildRequest.js';
import { verdictOf } from '../request/verdict.js';

/** The diagnosis of an attempt, by its id or that of its reply. Throws where the chat has none. */
export function apiDiagnosis(state: WholeChat, id: string, diagnoses: Diagnoses): ApiDiagnosis {
  const attempt = attemptBehind(state, id);
  if (attempt === undefined) {
    throw failure('chat.noRequestRecord');
  }
  const diagnosed = diagnoses.of(state, attempt);
  const diagnosis = diagnosed?.diagnosis ?? null;
  return {
    attemptId: attempt.id,
    verdict: { ...verdictOf(attempt, diagnosed, diagnoses.modelOf(attempt)), hint: null },
    cause: diagnosis?.cause.kind ?? null,
    comparedWith: diagnosis?.before?.attempt.id ?? null,
    firstDifference: apiDifference(diagnosis?.difference ?? null),
    expectedTokens: diagnosis?.expected ?? null,
    readTokens: diagnosis?.read ?? null,
    againTokens: diagnosis?.again ?? null,
    againCost: diagnosis?.againCost ?? null,
    costHadHeld: diagnosis?.costHadHeld ?? null,
    forecast: attempt.manifest.forecast ?? null,
  };
}

function apiDifference(difference: FirstDifference | null): ApiDifference | null {
  if (difference === null) {
    return null;
  }
  const { at, block, now, before } = difference;
  return { at, key: block.key, hash: now?.hash ?? null, hashBefore: before?.hash ?? null };
}
