import type { AttemptsState } from '../chat/slices/attempts.js';
import type { RunsState } from '../chat/slices/runs.js';

/** What the attempts of a run cost in US dollars; null when the run is unknown, or the price of one of them. */
export function costOfRun(runId: string | null, { runs, attempts }: RunsState & AttemptsState): number | null {
  const ids = (runId === null ? undefined : runs.get(runId)?.attemptIds) ?? [];
  const costs = ids.map((id) => attempts.get(id)?.end?.cost?.usd ?? null);
  return costs.length === 0 || costs.includes(null) ? null : costs.reduce((sum: number, cost) => sum + (cost ?? 0), 0);
}
