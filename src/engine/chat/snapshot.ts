import { addTotals, attemptTotals } from '../accounting/ledger.js';
import type { UsageTotals } from '../accounting/usage.js';
import type { Pause } from '../ports.js';
import { lastReply } from './branch.js';
import type { Cut } from './slices/slice.js';
import type { Earlier } from './extent.js';
import { isConversation } from './message.js';
import { chatOpening } from './opening.js';
import type { AttemptState } from './slices/attempts.js';
import { activeCompaction } from './slices/compaction.js';
import { SLICES, type SliceName, type SlicesJson } from './slices/table.js';
import { conversationIn, countAttempts, countMessages, type ChatState } from './state.js';
import type { Timeline, TimelineItem } from './timeline.js';

/*
 * The fold of a log can begin in its middle: at a snapshot of the state there. It holds the end of the conversation,
 * what a request needs of the rest, and the figures of all that stands before, so it is small however long the chat is.
 * What follows can be folded onto it as long as nothing there is about something before; the fold finds out when
 * something is.
 */

/** Of what the fold makes of the same events. A change of the fold or of a slice's part of the snapshot makes it grow. */
export const FOLD_VERSION = 3;

/** The state of a chat at a point of its log, as plain JSON. */
export interface ChatSnapshot {
  readonly slices: SlicesJson;
  readonly earlier: Earlier;
  readonly updatedAt: number;
  readonly problems: readonly string[];
}

/**
 * Attempts whose totals are summed at once. Summing those of a long chat takes longer than others may wait; this many
 * take some milliseconds.
 */
const SUMMED_AT_ONCE = 5_000;

/**
 * The snapshot of a state, with the last `wanted` messages of people and models at least, and the last reply. Null
 * while a run goes on, also one of housekeeping: what it logs later may belong before what others log meanwhile. The
 * state must not change before this resolves.
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

function partOf<Name extends SliceName>(name: Name, state: ChatState, cut: Cut): SlicesJson[Name] {
  const snapshot: unknown = SLICES[name].snapshot;
  return (snapshot as (state: ChatState, cut: Cut) => SlicesJson[Name])(state, cut);
}

/**
 * Where the end begins, as an index of the timeline: at a user message, because what is sent of a conversation is told
 * exchange by exchange; see `transcript`.
 */
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

function cutAt({ timeline, attempts, runs }: ChatState, from: number): Cut {
  const end = timeline.slice(from);
  const inEnd = new Set(end.flatMap(({ runId }) => (runId !== null && runs.has(runId) ? [runId] : [])));
  const replies = end.flatMap((item) => (item.kind === 'message' && item.message.role === 'assistant' ? [item.message.attemptId] : []));
  const shown = [...inEnd].flatMap((runId) => runs.get(runId)?.attemptIds ?? []);
  return { timeline: end, runs: inEnd, attempts: withBases([...shown, ...replies], attempts) };
}

/** Attempts with those that their manifests are written against, as far as they are here. */
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

/** What stands before the index `from` of the timeline, and before the attempts of `cut`. */
function figuresBefore(state: ChatState, from: number, cut: Cut): Omit<Earlier, 'totals'> {
  return {
    messages: countMessages(state) - conversationIn(cut.timeline),
    attempts: countAttempts(state) - cut.attempts.size,
    opening: from === 0 && state.extent === 'whole' ? null : chatOpening(state),
    kept: keptBefore(state, state.timeline.slice(0, from)),
  };
}

/** The ledger of all attempts that are not in `cut`. */
async function totalsBefore(state: ChatState, cut: Cut, pause: Pause): Promise<UsageTotals> {
  const others = [...state.attempts.values()].filter(({ id }) => !cut.attempts.has(id));
  let totals = state.extent === 'end' ? state.earlier.totals : attemptTotals([]);
  for (let done = 0; done < others.length; done += SUMMED_AT_ONCE) {
    await pause();
    totals = addTotals(totals, attemptTotals(others.slice(done, done + SUMMED_AT_ONCE)));
  }
  return totals;
}

/** What a request needs though it stands before the end: the checkpoint's summary, and the pinned messages. */
function keptBefore(state: ChatState, before: Timeline): Timeline {
  const summaryId = activeCompaction(state)?.summaryId ?? null;
  if (summaryId === null && state.pinned.size === 0) {
    return [];
  }
  const isKept = (item: TimelineItem): boolean =>
    item.kind === 'message' && (item.message.id === summaryId || state.pinned.has(item.message.id));
  return [...(state.extent === 'end' ? state.earlier.kept : []), ...before].filter(isKept);
}
