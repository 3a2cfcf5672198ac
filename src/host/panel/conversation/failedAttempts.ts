import type { AttemptOutcome, AttemptState } from '../../../engine/chat/slices/attempts.js';
import { type RunState, isOfHousekeeping } from '../../../engine/chat/slices/runs.js';
import type { ChatState } from '../../../engine/chat/state.js';
import type { TurnRange } from '../../../engine/chat/shownMessages.js';
import { isUnbilled } from '../../../engine/chat/billedUsage.js';
import type { AccountingMessage, Message } from '../../../engine/chat/message/message.js';
import type { FailedAttempt } from '../../../protocol/panel/entries.js';
import { requestFigures } from './replyViews.js';

type KnownRuns = Pick<ChatState, 'runs' | 'attempts'>;

/**
 * Collects the failed attempts of a conversation in order, until an entry takes them: the next reply of the turn, or
 * the note of a failed run. A note also takes the attempts of earlier runs that failed for the same reason.
 */
export class FailedAttempts {
  readonly #state: ChatState;
  readonly #next: ReadonlyMap<RunState, RunState>;
  #found: readonly FailedAttempt[];
  /** How many attempts of the open run are collected. */
  #passed = 0;

  /** `range`: the turns whose entries are derived. */
  constructor(state: ChatState, { from, to }: TurnRange) {
    this.#state = state;
    const inRange = [...runsIn(state, from, to)];
    const [after] = runsIn(state, to, state.timeline.length);
    const runs = after === undefined ? inRange : [...inRange, after];
    this.#next = new Map(runs.flatMap((run, at) => (runs[at + 1] === undefined ? [] : [[run, runs[at + 1]] as [RunState, RunState]])));
    this.#found = inRange[0] === undefined ? [] : openBefore(inRange[0], from, state);
  }

  /** Call this at the beginning of a run. Collects the attempts of failed runs that the run has replaced. */
  begin(run: RunState | undefined): void {
    this.#passed = 0;
    this.#found = [...this.#found, ...(run === undefined ? [] : failuresOfReplaced(run, this.#state))];
  }

  /** Returns the failed attempts before a reply of a run. Empty for other messages. */
  takeFor(message: Message, run: RunState | undefined): readonly FailedAttempt[] {
    if (message.role !== 'assistant') {
      return [];
    }
    if (run !== undefined) {
      this.passTo(run, message.attemptId);
    }
    return this.take();
  }

  /** Collects the failed attempts of a run before the attempt `id`; all attempts if the run has no such attempt. */
  passTo(run: RunState, id: string | null): void {
    const at = id === null ? -1 : run.attemptIds.indexOf(id);
    const to = Math.max(this.#passed, at === -1 ? run.attemptIds.length : at);
    this.#found = [...this.#found, ...failedIn(run, this.#state, { ids: run.attemptIds.slice(this.#passed, to), of: FAILED })];
    this.#passed = to;
  }

  take(): readonly FailedAttempt[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }

  /** Whether the entries of the next run show the failure of a run. Then the run has no note. */
  isShownLater(run: RunState): boolean {
    const next = this.#next.get(run);
    return next !== undefined && isShownBy(run, next, this.#state);
  }
}

/** Yields the runs that reply to the user, from index `from` of the timeline up to, but not including, `to`. */
function* runsIn({ timeline, runs }: ChatState, from: number, to: number): Generator<RunState> {
  const step = Math.sign(to - from);
  for (let at = from; at !== to; at += step) {
    const item = timeline[at];
    const run = item?.kind === 'run' && !isOfHousekeeping(item, runs) ? runs.get(item.runId) : undefined;
    if (run !== undefined) {
      yield run;
    }
  }
}

/** Returns the failed attempts of the runs before index `from` whose failures the entries of `run` show. */
function openBefore(run: RunState, from: number, state: ChatState): readonly FailedAttempt[] {
  const found: FailedAttempt[] = [];
  let next = run;
  for (const each of runsIn(state, from - 1, -1)) {
    if (!isShownBy(each, next, state)) {
      break;
    }
    const answered = each.attemptIds.findLastIndex((id) => state.attempts.get(id)?.end?.outcome === 'complete');
    found.unshift(...failedIn(each, state, { ids: each.attemptIds.slice(answered + 1), of: FAILED }));
    if (answered !== -1) {
      break;
    }
    found.unshift(...failuresOfReplaced(each, state));
    next = each;
  }
  return found;
}

/** Returns the failed attempts of the runs that a retry has replaced. */
function failuresOfReplaced(run: RunState, state: ChatState): readonly FailedAttempt[] {
  return replacedRuns(run, state).flatMap((each) => failedIn(each, state, { ids: each.attemptIds, of: LOST }));
}

/** Whether the next run goes on with the message of a failed run, or failed for the same reason. */
function isShownBy(run: RunState, next: RunState, state: ChatState): boolean {
  const { status, error, userMessageId } = run;
  if ((status !== 'rolledBack' && status !== 'failed') || error === null || error.kind === 'cancelled' || !isSilent(run, state)) {
    return false;
  }
  return next.userMessageId === userMessageId || (next.status === 'rolledBack' && next.error?.message === error.message);
}

/** Whether nothing of a reply has arrived in the last attempt of a run. */
function isSilent({ attemptIds }: RunState, { attempts }: KnownRuns): boolean {
  return (attempts.get(attemptIds.at(-1) ?? '')?.reply.length ?? 0) === 0;
}

/** Returns the runs without a result that a retry has replaced, since the last reply to the same message. */
function replacedRuns(run: RunState, { runs }: KnownRuns): readonly RunState[] {
  if (run.cause !== 'retry') {
    return [];
  }
  const same = [...runs.values()].filter(({ userMessageId }) => userMessageId === run.userMessageId);
  const before = same.slice(0, same.indexOf(run));
  return before.slice(before.findLastIndex((each) => !leftNothing(each)) + 1);
}

function leftNothing({ status, toolsRan }: RunState): boolean {
  return (status === 'rolledBack' || status === 'interrupted') && !toolsRan;
}

/**
 * Whether the entries of the retry show all that a line about the retry of a failed run would show. While the retry
 * has no reply, a partial reply stays on the other branch, and the line can restore it.
 */
export function isShownByRetry({ reason, isAfterError, discardedMessages, rewindId }: AccountingMessage, state: ChatState): boolean {
  const branch = state.rewinds.get(rewindId);
  if (reason !== 'retried' || isAfterError !== true || discardedMessages > 0 || branch === undefined) {
    return false;
  }
  const left = branch.findLast((item) => item.kind === 'run' && !isOfHousekeeping(item, state.runs));
  const replaced = left?.kind === 'run' ? state.runs.get(left.runId) : undefined;
  const later = [...state.runs.values()].filter(({ userMessageId }) => userMessageId === replaced?.userMessageId);
  const retry = replaced === undefined ? undefined : later[later.indexOf(replaced) + 1];
  return replaced !== undefined && leftNothing(replaced) && (isSilent(replaced, state) || retry?.status === 'committed');
}

type Outcomes = ReadonlySet<AttemptOutcome>;

const FAILED: Outcomes = new Set<AttemptOutcome>(['failed']);

/** Outcomes of replaced runs. An interrupted run that was not replaced has a note of its own. */
const LOST: Outcomes = new Set<AttemptOutcome>(['failed', 'interrupted']);

/** Returns the attempts `ids` of a run that have one of the outcomes. */
function failedIn(
  { attemptIds }: RunState,
  { attempts }: KnownRuns,
  { ids, of }: { readonly ids: readonly string[]; readonly of: Outcomes },
): FailedAttempt[] {
  return ids.flatMap((id): FailedAttempt[] => {
    const attempt = attempts.get(id);
    const end = attempt?.end ?? null;
    if (attempt === undefined || end === null || !of.has(end.outcome)) {
      return [];
    }
    const next = attempts.get(attemptIds[attemptIds.indexOf(id) + 1] ?? '');
    return [
      {
        id,
        text: failureText(attempt),
        status: end.exchange?.response?.status ?? null,
        at: attempt.startedAt,
        durationMs: end.at - attempt.startedAt,
        waitMs: next === undefined ? null : next.startedAt - end.at,
        isUnbilled: isUnbilled(attempt),
        ...pricesOf(attempt),
      },
    ];
  });
}

function pricesOf(attempt: AttemptState): Pick<FailedAttempt, 'cost' | 'isAtLeast' | 'isPretended'> {
  const { cost, isAtLeast, isPretended } = requestFigures(attempt);
  return { cost, isAtLeast, isPretended };
}

/** Returns why an attempt ended without a reply. */
export function failureText({ end }: Pick<AttemptState, 'end'>): string {
  const unknown =
    end?.outcome === 'interrupted' ? 'VS Code closed while the reply was arriving.' : 'The request failed for an unknown reason.';
  return end?.error?.message ?? unknown;
}

/** Returns all attempts of a run for a summary that failed before the last attempt. */
export function failedBefore(run: RunState, state: KnownRuns): readonly FailedAttempt[] {
  return failedIn(run, state, { ids: run.attemptIds.slice(0, -1), of: FAILED });
}

/** Returns the sentence of the last failure, with the number of failures if there are several. */
export function countedFailure(text: string, failures: readonly FailedAttempt[]): string {
  if (failures.length < 2 || failures.at(-1)?.text !== text) {
    return text;
  }
  const times = `Failed ${failures.length.toLocaleString('en-US')} times`;
  return failures.every((each) => each.text === text) ? `${times}: ${text}` : `${times}, for several reasons. The last: ${text}`;
}
