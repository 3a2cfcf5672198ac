import { isOfHousekeeping, isRefused, type RunsState } from './slices/runs.js';
import type { BranchState, Timeline } from './timeline.js';

/* An edit or a retry creates a new version of a turn. The old version is kept on a discarded branch. */

/** The number of the current version of a turn among all versions, oldest first. */
export interface TurnVersions {
  /** Number of the current version, counted from 1. */
  readonly number: number;
  readonly count: number;
  /** Ids of the rewinds that discarded the previous and the next version. Null if there is no such version. */
  readonly earlier: string | null;
  readonly later: string | null;
}

/** Returns the turns of the current branch with more than one version, by user message id. */
export function turnVersions(state: BranchState & RunsState): ReadonlyMap<string, TurnVersions> {
  const here = turnsOf(state.timeline, state);
  const order = new Map([...state.runs.keys()].map((runId, at) => [runId, at]));
  /** The last rewind that discarded each version, by turn index and then by the first run of the version. */
  const left = new Map<number, Map<string, string>>();
  for (const [rewindId, branch] of state.rewinds) {
    const there = turnsOf(branch, state);
    const at = parting(here, there);
    const version = there[at];
    if (version !== undefined && here[at] !== undefined) {
      left.set(at, (left.get(at) ?? new Map<string, string>()).set(version.runId, rewindId));
    }
  }
  return new Map(
    [...left].flatMap(([at, versions]) => {
      const turn = here[at];
      return turn === undefined ? [] : [[turn.messageId, placeOf(turn.runId, versions, order)] as const];
    }),
  );
}

/**
 * Returns the id of the first user message whose turn on the discarded branch `rewindId` differs from the current
 * branch. Null if no turn differs. To restore that branch would then only remove messages.
 */
export function versionMessage(state: BranchState & RunsState, rewindId: string): string | null {
  const there = turnsOf(state.rewinds.get(rewindId) ?? [], state);
  return there[parting(turnsOf(state.timeline, state), there)]?.messageId ?? null;
}

interface Turn {
  readonly messageId: string;
  /** Id of the first run that replied to the user message. */
  readonly runId: string;
}

function turnsOf(timeline: Timeline, { runs }: RunsState): readonly Turn[] {
  return timeline.flatMap((item) => {
    const run = item.kind === 'run' && !isOfHousekeeping(item, runs) ? runs.get(item.runId) : undefined;
    const messageId = run === undefined || run.cause === 'continue' || isRefused(run) ? null : run.userMessageId;
    return messageId === null || run === undefined ? [] : [{ messageId, runId: run.id }];
  });
}

/** Returns the index of the first turn in which two branches differ. */
function parting(here: readonly Turn[], there: readonly Turn[]): number {
  const at = here.findIndex(({ runId }, index) => there[index]?.runId !== runId);
  return at === -1 ? here.length : at;
}

function placeOf(current: string, others: ReadonlyMap<string, string>, order: ReadonlyMap<string, number>): TurnVersions {
  const sorted = [current, ...others.keys()].sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
  const at = sorted.indexOf(current);
  const rewindOf = (runId: string | undefined): string | null => others.get(runId ?? '') ?? null;
  return { number: at + 1, count: sorted.length, earlier: rewindOf(sorted[at - 1]), later: rewindOf(sorted[at + 1]) };
}
