import type { WholeChat } from '../../engine/chat/state.js';
import type { Diagnosis } from '../../engine/diagnosis/diagnosis.js';
import type { FirstDifference } from '../../engine/diagnosis/firstDifference.js';
import { failure } from '../../engine/errors.js';
import type { ApiDiagnosis, ApiDifference } from '../../protocol/apiDiagnosis.js';
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
  return {
    attemptId: attempt.id,
    verdict: { ...verdictOf(attempt, diagnosed, diagnoses.modelOf(attempt)), hint: null },
    ...(diagnosed === null ? UNTOLD : told(diagnosed.diagnosis)),
    forecast: attempt.manifest.forecast ?? null,
  };
}

type Told = Omit<ApiDiagnosis, 'attemptId' | 'verdict' | 'forecast'>;

/** Of a request whose record cannot be read. */
const UNTOLD: Told = {
  cause: null,
  comparedWith: null,
  firstDifference: null,
  expectedTokens: null,
  readTokens: null,
  againTokens: null,
  againCost: null,
  costHadHeld: null,
};

function told({ cause, before, difference, expected, read, again, againCost, costHadHeld }: Diagnosis): Told {
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
