import type { Diagnosis } from '../../engine/diagnosis/diagnosis.js';
import type { FirstDifference } from '../../engine/diagnosis/firstDifference.js';
import { failure } from '../../engine/errors.js';
import type { ApiDiagnosis, ApiDifference } from '../../protocol/api/apiDiagnosis.js';
import type { ChatSession } from '../chat/chatSession.js';
import { attemptReplays, type DiagnosisPorts, hintAmong } from '../request/verdict/attemptDiagnosis.js';
import { attemptOfReply } from '../request/rebuildRequest.js';
import { verdictOf } from '../request/verdict/verdict.js';

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
