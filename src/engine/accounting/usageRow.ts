import type { ModelRef } from '../chat/config.js';
import type { AttemptPurpose } from '../chat/slices/attempts.js';
import type { WholeChat } from '../chat/state.js';
import { spentBy, type Spent } from './ledger.js';

/** What one attempt used, as it is told where its chat is not read. Plain JSON. */
export interface UsageRow extends Spent {
  /** The attempt's. */
  readonly id: string;
  /** When it began, in epoch milliseconds. */
  readonly at: number;
  readonly purpose: AttemptPurpose;
  readonly model: ModelRef;
  /** Its run is on a branch that was left. */
  readonly isDiscarded: boolean;
}

/** The rows of all attempts that the ledger of a chat counts. */
export function usageRows({ attempts, timeline }: WholeChat): UsageRow[] {
  const shown = new Set(timeline.map(({ runId }) => runId));
  return [...attempts.values()].flatMap((attempt) => {
    const spent = spentBy(attempt);
    const { id, startedAt: at, purpose, model, runId } = attempt;
    return spent === null ? [] : [{ id, at, purpose, model, isDiscarded: !shown.has(runId), ...spent }];
  });
}
