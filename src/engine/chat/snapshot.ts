import { createSentCheck, pinnedItems } from './checkpoint.js';
import { addTotals, attemptTotals, spentTotals } from './ledger.js';
import type { UsageTotals } from '../model/usage.js';
import type { Pause } from '../ports.js';
import { lastReply } from './branch.js';
import type { SnapshotCut } from './slices/slice.js';
import type { EarlierPart } from './extent.js';
import { isConversation } from './message/message.js';
import { chatOpening } from './message/opening.js';
import type { AttemptState } from './slices/attempts.js';
import { keptSideRequests } from './slices/sideRequests.js';
import { activeCompaction } from './slices/compaction.js';
import { SLICES, type SliceName, type SlicesJson } from './slices/table.js';
import { conversationIn, countAttempts, countMessages, type ChatState } from './state.js';
import { isMessageItem, messagesOf, type Timeline } from './timeline.js';

/*
 * A fold can start from a snapshot of the state instead of the beginning of the log. A snapshot has the end of the
 * conversation, older messages that requests need, and figures about everything else. So its size does not depend on
 * the length of the chat. If a later event refers to something that the snapshot does not contain,
 * `ChatFold.needsWholeLog` becomes true.
 */

/** Version of the fold's result. Increase it if the fold, a snapshot, or a row of a chat or attempt changes. */
export const FOLD_VERSION = 30;

export interface ChatSnapshot {
  readonly slices: SlicesJson;
  readonly earlier: EarlierPart;
  readonly updatedAt: number;
  readonly problems: readonly string[];
}

/** Number of attempts to sum before a pause: 5,000 take a few milliseconds. */
const SUMMED_AT_ONCE = 5_000;

/**
 * Returns the snapshot of a state, with at least the last `wanted` conversation messages and the last reply. Null while
 * a run is open, because its later events may sort before events that other VS Code windows log meanwhile. The state
 * must not change before the returned promise resolves.
 */
export async function snapshotOf(state: ChatState, wanted: number, pause: Pause): Promise<ChatSnapshot | null> {
  if ([...state.runs.values()].some(({ status }) => status === 'running')) {
    return null;
  }
  await pause();
  const from = beginOfEnd(state, wanted);
  const cut = cutAt(state, from);
  const slices = Object.fromEntries((Object.keys(SLICES) as SliceName[]).map((name) => [name, partOf(name, state, cut)])) as SlicesJson;
  await pause();
  const figures = figuresBefore(state, from, cut);
  const totals = await totalsBefore(state, cut, pause);
  return { slices, earlier: { ...figures, totals }, updatedAt: state.updatedAt, problems: [...state.problems] };
}

function partOf<Name extends SliceName>(name: Name, state: ChatState, cut: SnapshotCut): SlicesJson[Name] {
  const snapshot: unknown = SLICES[name].snapshot;
  return (snapshot as (state: ChatState, cut: SnapshotCut) => SlicesJson[Name])(state, cut);
}

/** Returns the timeline index of the first item to keep: a user message, because `transcript` reads whole turns. */
function beginOfEnd(state: ChatState, wanted: number): number {
  const { timeline } = state;
  const reply = lastReply(state);
  const mustHave = reply === null ? timeline.length : timeline.findLastIndex((item) => item.kind === 'message' && item.message === reply);
  let messages = 0;
  const from = timeline.findLastIndex((item, index) => {
    messages += item.kind === 'message' && isConversation(item.message) ? 1 : 0;
    return item.kind === 'message' && item.message.role === 'user' && messages >= wanted && index <= mustHave;
  });
  return Math.max(0, from);
}

function cutAt({ timeline, attempts, runs, compactions }: ChatState, from: number): SnapshotCut {
  const end = timeline.slice(from);
  const ids = new Set(messagesOf(end).map(({ id }) => id));
  const led = [...compactions.values()].flatMap((each) => (each.summaryId !== null && ids.has(each.summaryId) ? (each.runs ?? []) : []));
  const inEnd = new Set([...end.flatMap(({ runId }) => (runId === null ? [] : [runId])), ...led].filter((runId) => runs.has(runId)));
  const replies = end.flatMap((item) => (item.kind === 'message' && item.message.role === 'assistant' ? [item.message.attemptId] : []));
  const shown = [...inEnd].flatMap((runId) => runs.get(runId)?.attemptIds ?? []);
  return { timeline: end, runs: inEnd, attempts: withBases([...shown, ...replies], attempts) };
}

/** Returns the given attempts and the loaded attempts that their manifests refer to, directly or indirectly. */
export function withBases(ids: readonly string[], attempts: ReadonlyMap<string, AttemptState>): ReadonlySet<string> {
  const kept = new Set<string>();
  for (const id of ids) {
    let attempt = attempts.get(id);
    while (attempt !== undefined && !kept.has(attempt.id)) {
      kept.add(attempt.id);
      attempt = attempt.manifest.base === null ? undefined : attempts.get(attempt.manifest.base);
    }
  }
  return kept;
}

/** Returns figures about everything before `cut`, which begins at index `from` of the timeline. */
function figuresBefore(state: ChatState, from: number, cut: SnapshotCut): Omit<EarlierPart, 'totals'> {
  const before = state.timeline.slice(0, from);
  return {
    messages: countMessages(state) - conversationIn(cut.timeline),
    sent: sentBefore(state, before),
    attempts: countAttempts(state) - cut.attempts.size,
    opening: from === 0 && state.extent === 'whole' ? null : chatOpening(state),
    kept: keptBefore(state, before),
  };
}

/** Returns the usage of attempts outside `cut`, and of the side requests that are not in the snapshot. */
async function totalsBefore(state: ChatState, cut: SnapshotCut, pause: Pause): Promise<UsageTotals> {
  const others = [...state.attempts.values()].filter(({ id }) => !cut.attempts.has(id));
  const kept = new Set(keptSideRequests(state));
  const aside = spentTotals([...state.sideRequests.values()].filter((each) => !kept.has(each)));
  let totals = state.extent === 'end' ? addTotals(state.earlier.totals, aside) : aside;
  for (let done = 0; done < others.length; done += SUMMED_AT_ONCE) {
    await pause();
    totals = addTotals(totals, attemptTotals(others.slice(done, done + SUMMED_AT_ONCE)));
  }
  return totals;
}

/** Returns the number of messages in `before` that requests send, because no compaction in `before` replaces them. */
function sentBefore(state: ChatState, before: Timeline): number {
  const active = activeCompaction({ ...state, timeline: before });
  const to = active === null ? -1 : before.findLastIndex((item) => isMessageItem(item, active.to));
  const earlier = state.extent === 'end' && to === -1 ? state.earlier.sent : 0;
  return conversationIn(before.slice(to + 1)) + earlier;
}

/** Returns the earlier messages that requests need, now or after the user undoes the latest compaction. */
function keptBefore(state: ChatState, before: Timeline): Timeline {
  const compactions = [activeCompaction(state), activeCompaction({ ...state, timeline: before })];
  const summaries = new Set(compactions.flatMap((each) => each?.summaryId ?? []));
  const all = [...(state.extent === 'end' ? state.earlier.kept : []), ...before];
  const isSummary = (item: Timeline[number]): boolean => item.kind === 'message' && summaries.has(item.message.id);
  const pinned = pinnedItems(all, state.pinned);
  const isSent = createSentCheck(state);
  return [
    ...(summaries.size === 0 ? [] : all.filter(isSummary)),
    ...pinned.filter((item) => item.kind !== 'message' || isSent(item.message)),
  ];
}
