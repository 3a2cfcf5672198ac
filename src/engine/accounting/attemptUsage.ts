import type { ModelRef } from '../model/modelRef.js';
import type { AttemptPurpose, AttemptState } from '../chat/slices/attempts.js';
import type { LoggedSideRequests, SidePurpose } from '../chat/slices/sideRequests.js';
import type { ChatState, WholeChat } from '../chat/state.js';
import { answeredAttempts } from '../chat/timeline.js';
import { spentBy, type UsageEntry } from '../chat/ledger.js';

/** The purpose of a request. A probe is the test message of a provider, which belongs to no chat. */
export type RequestPurpose = AttemptPurpose | SidePurpose | 'probe';

/** The usage of one attempt, for views that do not load its chat. Plain JSON. */
export interface AttemptUsage extends UsageEntry {
  readonly id: string;
  /** Start of the attempt, in epoch milliseconds. */
  readonly at: number;
  readonly purpose: RequestPurpose;
  readonly model: ModelRef;
  /** See the function `isDiscarded`. */
  readonly isDiscarded: boolean;
  /** Present when the attempt repeats a failed one of its run. */
  readonly isRetry?: true;
}

/** What the rows need from the chat in addition to the attempts. */
export interface AttemptPlaces {
  /** The runs that began on the branch. A message may name a run that was retried later. */
  readonly runs: ReadonlySet<string>;
  /** The attempts whose replies are on the branch. The start of their runs may be on a damaged line. */
  readonly answered: ReadonlySet<string>;
  /** The attempts that repeat a failed one of their run. */
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

/** Returns the rows of all attempts that the ledger of a chat counts, and of the requests outside of its runs. */
export function attemptUsages(state: WholeChat): AttemptUsage[] {
  const places = attemptPlaces(state);
  const own = [...state.attempts.values()].map((attempt) => attemptUsage(attempt, places)).filter((usage) => usage !== null);
  return [...own, ...[...state.sideRequests.values()].map(sideUsage)];
}

export function sideUsage(made: LoggedSideRequests): AttemptUsage {
  return { ...made, isDiscarded: false };
}

/** Null for an attempt that the ledger does not count. */
export function attemptUsage(attempt: AttemptState, places: AttemptPlaces): AttemptUsage | null {
  const spent = spentBy(attempt);
  if (spent === null) {
    return null;
  }
  const { id, startedAt: at, purpose, model } = attempt;
  const usage = { id, at, purpose, model, isDiscarded: isDiscarded(attempt, places), ...spent };
  return places.repeats.has(id) ? { ...usage, isRetry: true } : usage;
}
