import type { ModelRef } from '../model/modelRef.js';
import type { AttemptPurpose, AttemptState } from '../chat/slices/attempts.js';
import type { LoggedSideRequests, SidePurpose } from '../chat/slices/sideRequests.js';
import type { ChatState, WholeChat } from '../chat/state.js';
import { answeredAttempts } from '../chat/timeline.js';
import { spentBy, type UsageEntry } from '../chat/ledger.js';

/** The purpose of a request. A probe is a test message to a provider, outside of any chat. */
export type RequestPurpose = AttemptPurpose | SidePurpose | 'probe';

/** The usage of one attempt, for views that do not load its chat. Plain JSON. */
export interface AttemptUsage extends UsageEntry {
  readonly id: string;
  /** Start of the attempt, in epoch milliseconds. */
  readonly at: number;
  readonly purpose: RequestPurpose;
  readonly model: ModelRef;
  readonly isDiscarded: boolean;
  /** Present when the attempt repeats a failed attempt of its run. */
  readonly isRetry?: true;
}

/** Facts about a chat's attempts that the attempts themselves do not store. */
export interface AttemptPlaces {
  /** Ids of the runs that start on the current branch. */
  readonly runs: ReadonlySet<string>;
  /** Ids of attempts with a reply on the current branch. Needed if the start of a run is on a damaged log line. */
  readonly answered: ReadonlySet<string>;
  /** Ids of the attempts that repeat a failed attempt of their run. */
  readonly repeats: ReadonlySet<string>;
}

export function attemptPlaces({ timeline, runs, attempts }: Pick<ChatState, 'timeline' | 'runs' | 'attempts'>): AttemptPlaces {
  const repeats = [...runs.values()].flatMap(({ attemptIds }) =>
    attemptIds.filter((_, at) => (attempts.get(attemptIds[at - 1] ?? '')?.end?.retry ?? null) !== null),
  );
  const begun = timeline.flatMap((item) => (item.kind === 'run' ? [item.runId] : []));
  return { runs: new Set(begun), answered: answeredAttempts(timeline), repeats: new Set(repeats) };
}

/** Whether the reply of an attempt is on a discarded branch. Titles and summaries are never discarded. */
export function isDiscarded({ id, purpose, runId, inheritedFrom }: AttemptState, { runs, answered }: AttemptPlaces): boolean {
  return purpose === 'reply' && inheritedFrom === null && !answered.has(id) && !(runId !== null && runs.has(runId));
}

/** Returns the usage of the ended attempts that a chat made, and of its requests outside of runs. */
export function attemptUsages(state: WholeChat): AttemptUsage[] {
  const places = attemptPlaces(state);
  const own = [...state.attempts.values()].map((attempt) => attemptUsage(attempt, places)).filter((usage) => usage !== null);
  return [...own, ...[...state.sideRequests.values()].map(sideUsage)];
}

export function sideUsage(made: LoggedSideRequests): AttemptUsage {
  return { ...made, isDiscarded: false };
}

/** Returns null for an attempt that is running, and for an attempt that a fork copied from another chat. */
export function attemptUsage(attempt: AttemptState, places: AttemptPlaces): AttemptUsage | null {
  const spent = spentBy(attempt);
  if (spent === null) {
    return null;
  }
  const { id, startedAt: at, purpose, model } = attempt;
  const usage = { id, at, purpose, model, isDiscarded: isDiscarded(attempt, places), ...spent };
  return places.repeats.has(id) ? { ...usage, isRetry: true } : usage;
}
