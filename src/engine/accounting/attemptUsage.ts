import type { ModelRef } from '../chat/config.js';
import type { AttemptPurpose, AttemptState } from '../chat/slices/attempts.js';
import type { ChatState, WholeChat } from '../chat/state.js';
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
  /** Where it is there: the attempt repeats a failed one of its run. */
  readonly isRetry?: true;
}

/** What the rows need of the chat beside the attempts. */
export interface AttemptPlaces {
  /** The runs of the branch. */
  readonly shown: ReadonlySet<string | null>;
  /** The attempts that repeat a failed one of their run. */
  readonly repeats: ReadonlySet<string>;
}

export function attemptPlaces({ timeline, runs, attempts }: Pick<ChatState, 'timeline' | 'runs' | 'attempts'>): AttemptPlaces {
  const repeats = [...runs.values()].flatMap(({ attemptIds }) =>
    attemptIds.filter((_, at) => (attempts.get(attemptIds[at - 1] ?? '')?.end?.retry ?? null) !== null),
  );
  return { shown: new Set(timeline.map(({ runId }) => runId)), repeats: new Set(repeats) };
}

/** The rows of all attempts that the ledger of a chat counts. */
export function attemptUsages(state: WholeChat): AttemptUsage[] {
  const places = attemptPlaces(state);
  return [...state.attempts.values()].map((attempt) => attemptUsage(attempt, places)).filter((usage) => usage !== null);
}

/** Null for an attempt that the ledger does not count. */
export function attemptUsage(attempt: AttemptState, { shown, repeats }: AttemptPlaces): AttemptUsage | null {
  const spent = spentBy(attempt);
  if (spent === null) {
    return null;
  }
  const { id, startedAt: at, purpose, model, runId } = attempt;
  const usage = { id, at, purpose, model, isDiscarded: !shown.has(runId), ...spent };
  return repeats.has(id) ? { ...usage, isRetry: true } : usage;
}
