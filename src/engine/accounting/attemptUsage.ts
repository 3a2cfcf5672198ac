import type { ModelRef } from '../chat/config.js';
import type { AttemptPurpose, AttemptState } from '../chat/slices/attempts.js';
import type { WholeChat } from '../chat/state.js';
import { spentBy, type Spent } from './ledger.js';

/** The usage of one attempt, for views that do not load its chat. Plain JSON. */
export interface AttemptUsage extends Spent {
  /** Id of the attempt. */
  readonly id: string;
  /** Start of the attempt, in epoch milliseconds. */
  readonly at: number;
  readonly purpose: AttemptPurpose;
  readonly model: ModelRef;
  /** Whether its run is on a discarded branch. */
  readonly isDiscarded: boolean;
}

/** The rows of all attempts that the ledger of a chat counts. */
export function attemptUsages({ attempts, timeline }: WholeChat): AttemptUsage[] {
  const shown = new Set(timeline.map(({ runId }) => runId));
  return [...attempts.values()].map((attempt) => attemptUsage(attempt, shown)).filter((usage) => usage !== null);
}

/** Null for an attempt that the ledger does not count. `shown` are the runs of the branch. */
export function attemptUsage(attempt: AttemptState, shown: ReadonlySet<string | null>): AttemptUsage | null {
  const spent = spentBy(attempt);
  const { id, startedAt: at, purpose, model, runId } = attempt;
  return spent === null ? null : { id, at, purpose, model, isDiscarded: !shown.has(runId), ...spent };
}
