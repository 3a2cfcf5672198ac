import type { AttemptState } from '../../../engine/chat/slices/attempts.js';
import type { WholeChat } from '../../../engine/chat/state.js';
import type { Verdict } from '../../../protocol/inspector/verdict.js';
import type { ModelRegistry } from '../../models/registry.js';
import { sha256 } from '../../window/systemPorts.js';
import { Diagnoses, type DiagnosedAttempt } from './diagnoses.js';
import { type Hint, hintOf } from './hint.js';
import type { ReplayedCaches } from './replayedCache.js';
import { replayedCaches } from './replayedCaches.js';
import type { ReplayPorts } from './replays.js';
import { verdictOf } from './verdict.js';

export interface DiagnosisPorts extends Pick<ReplayPorts, 'counter' | 'sha256' | 'logError'> {
  readonly diagnoses: Diagnoses;
}

export function diagnosisPorts(
  models: Pick<ModelRegistry, 'list' | 'counter'>,
  { logError }: Pick<ReplayPorts, 'logError'>,
): DiagnosisPorts {
  return { diagnoses: new Diagnoses(() => models.list()), counter: models.counter.bind(models), sha256, logError };
}

/** Returns the cost of an attempt and its reason, in words. Comparing layouts takes longer: see `attemptHint`. */
export function attemptVerdict(state: WholeChat, attempt: AttemptState, { diagnoses }: Pick<DiagnosisPorts, 'diagnoses'>): Verdict {
  return verdictOf(attempt, diagnoses.of(state, attempt), diagnoses.modelOf(attempt));
}

/** Returns what would have cost less than the attempt. Null when nothing would, or it is uncertain. */
export async function attemptHint(
  state: WholeChat,
  attempt: AttemptState,
  ports: DiagnosisPorts & Pick<ReplayPorts, 'blobs'>,
): Promise<Hint | null> {
  const diagnosed = ports.diagnoses.of(state, attempt);
  return diagnosed === null ? null : hintAmong(await attemptReplays({ state, attempt, diagnosed }, ports), attempt, diagnosed);
}

interface ReplayTarget {
  readonly state: WholeChat;
  readonly attempt: AttemptState;
  readonly diagnosed: DiagnosedAttempt | null;
}

/** Returns the cost with other layouts and with a longer cache lifetime. Empty when the request sent nothing again. */
export async function attemptReplays(
  { state, attempt, diagnosed }: ReplayTarget,
  { diagnoses, ...ports }: DiagnosisPorts & Pick<ReplayPorts, 'blobs'>,
): Promise<readonly ReplayedCaches[]> {
  const model = diagnoses.modelOf(attempt);
  if (model === null || diagnosed === null || diagnosed.diagnosis.again === 0) {
    return [];
  }
  return replayedCaches({ state, attempt, model }, diagnoses, ports);
}

export function hintAmong(
  replays: readonly ReplayedCaches[],
  attempt: AttemptState,
  { diagnosis }: Pick<DiagnosedAttempt, 'diagnosis'>,
): Hint | null {
  return replays.map((each) => hintOf(attempt, diagnosis.cause, each)).find((hint) => hint !== null) ?? null;
}
