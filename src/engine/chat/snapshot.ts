import { contextWindowTokens } from '../accounting/contextWindow.js';
import { addTotals, attemptTotals } from '../accounting/ledger.js';
import type { UsageTotals } from '../accounting/usage.js';
import type { SessionContextItem } from '../context/item.js';
import type { AttemptState, ChatState, RunState, TimelineItem } from './fold.js';
import { isConversation } from './message.js';
import { openingOf, type Opening } from './opening.js';
import type { ReplyPart } from './reply.js';

/*
 * The fold of a log can begin in its middle: at a snapshot of the state there. A snapshot keeps of the conversation
 * before it only what is told of it without showing it, so it is small however long the chat is. It carries the end of
 * the conversation in full where what comes next may well change that, and where reading it from the log would take
 * long. What follows can be folded onto it as long as nothing there reaches back behind what it carries; the fold finds
 * out when something does.
 */

/** Of what the fold makes of the same events. A change of the fold or of these shapes makes it grow. */
export const FOLD_VERSION = 2;

/** What stands before the part of a chat that was read, as far as it is told of without being there. */
export interface Earlier {
  /** Messages of people and models on the branch. */
  readonly messages: number;
  /** Messages of any kind on the branch, and beginnings of runs; more than 0 when it is not known how many. */
  readonly items: number;
  /** Attempts, those of branches that were left included. */
  readonly attempts: number;
  /** The ledger of these attempts. */
  readonly totals: UsageTotals;
  /** Tokens in the context window after the last reply; null when they are not known. */
  readonly contextWindow: number | null;
  /** Null when there is no user message. */
  readonly opening: Opening | null;
  /** How many items of the branch were carried by the snapshot, and so are here although the log was not read there. */
  readonly carried: number;
}

/** The end of a conversation, with its runs, and the attempts that its replies and their manifests come from. */
export interface CarriedEnd {
  readonly timeline: readonly TimelineItem[];
  readonly runs: readonly RunState[];
  readonly attempts: readonly CarriedAttempt[];
}

/** JSON has no undefined parts. */
type CarriedAttempt = Omit<AttemptState, 'reply'> & { readonly reply: readonly (ReplyPart | null)[] };

/** The state of a chat at a point of its log, as plain JSON. */
export interface FoldSnapshot
  extends Pick<
    ChatState,
    'chatId' | 'createdAt' | 'updatedAt' | 'folders' | 'parent' | 'importedFrom' | 'config' | 'title' | 'problems' | 'lostAttempts'
  > {
  readonly context: readonly SessionContextItem[];
  readonly earlier: Earlier;
  readonly carried: CarriedEnd;
}

/**
 * The snapshot of a state, which carries the last `carried` messages of people and models at least, as far as they are
 * here, and whatever comes next may well go on with: a message that waits for its answer, a run that may be continued.
 * Null while a run goes on: what it logs later may belong before what others log meanwhile.
 */
export function snapshotOf(state: ChatState, carried: number): FoldSnapshot | null {
  if ([...state.runs.values()].some(({ status }) => status === 'running')) {
    return null;
  }
  const { chatId, createdAt, updatedAt, folders, parent, importedFrom, config, title, problems, lostAttempts } = state;
  const from = carriedFrom(state, carried);
  const end = carriedEnd(state, state.timeline.slice(from), carried > 0);
  return {
    ...{ chatId, createdAt, updatedAt, folders, parent, importedFrom, config, title },
    ...{ problems: [...problems], lostAttempts: [...lostAttempts] },
    context: [...state.context.values()],
    earlier: earlierThan({ ...state, timeline: state.timeline.slice(0, from) }, end),
    carried: end,
  };
}

/**
 * The state as it is once its conversation was set aside whole, at `at` in epoch milliseconds, as far as a snapshot has
 * it: of that conversation nothing is needed for it, so none of it has to be here.
 */
export function clearedState(state: ChatState, at: number): ChatState {
  const { earlier } = state;
  const none = { messages: 0, items: 0, contextWindow: null, opening: null, carried: 0 };
  return { ...state, updatedAt: Math.max(state.updatedAt, at), timeline: [], earlier: earlier === null ? null : { ...earlier, ...none } };
}

/** Whether the conversation on show is here from its first message on. */
export function isWhole({ earlier }: ChatState): boolean {
  return earlier === null || earlier.items === 0;
}

/** Messages of people and models on the branch on show, those that were not read included. */
export function countMessages({ timeline, earlier }: ChatState): number {
  return conversationIn(timeline) + (earlier?.messages ?? 0);
}

/** The same at a snapshot. */
export function messagesAt({ earlier, carried }: FoldSnapshot): number {
  return conversationIn(carried.timeline) + earlier.messages;
}

function conversationIn(timeline: readonly TimelineItem[]): number {
  return timeline.filter((item) => item.kind === 'message' && isConversation(item.message)).length;
}

/** All attempts ever made, those that were not read included. */
export function countAttempts({ attempts, earlier }: ChatState): number {
  return attempts.size + (earlier?.attempts ?? 0);
}

/** How the conversation begins, though its beginning was not read; null when nobody has said anything. */
export function chatOpening({ timeline, earlier }: ChatState): Opening | null {
  return earlier?.opening ?? openingOf(timeline);
}

/** What stands before `end`, which ends the state that `before` is the beginning of. */
function earlierThan(before: ChatState, end: CarriedEnd): Earlier {
  const { timeline, attempts, earlier } = before;
  const kept = new Set(end.attempts.map(({ id }) => id));
  const others = [...attempts.values()].filter(({ id }) => !kept.has(id));
  const totals = attemptTotals(others);
  return {
    messages: countMessages(before),
    items: timeline.length + (earlier?.items ?? 0),
    attempts: others.length + (earlier?.attempts ?? 0),
    totals: earlier === null ? totals : addTotals(earlier.totals, totals),
    contextWindow: contextWindowTokens(before),
    opening: chatOpening(before),
    carried: end.timeline.length,
  };
}

/**
 * Where the end begins that a snapshot carries, as an index of the timeline: at a user message, because what is sent of
 * a conversation is told exchange by exchange; see `transcript`.
 */
function carriedFrom(state: ChatState, carried: number): number {
  return carried === 0 && isSettled(state) ? state.timeline.length : endFrom(state.timeline, carried);
}

/** Where the last `wanted` messages of people and models begin, or somewhat more of them: at a user message. */
function endFrom(timeline: readonly TimelineItem[], wanted: number): number {
  let messages = 0;
  const from = timeline.findLastIndex((item) => {
    messages += item.kind === 'message' && isConversation(item.message) ? 1 : 0;
    return item.kind === 'message' && item.message.role === 'user' && messages >= wanted;
  });
  return Math.max(0, from);
}

/**
 * The chat as if only the last `wanted` messages of people and models had been read, or somewhat more: what is sent of a
 * conversation is told exchange by exchange; see `transcript`. As it is when it has no more. The attempts all stay.
 */
export function endOf(state: ChatState, wanted: number): ChatState {
  const from = endFrom(state.timeline, wanted);
  if (from === 0) {
    return state;
  }
  const before = { ...state, timeline: state.timeline.slice(0, from), attempts: new Map<string, AttemptState>() };
  return { ...state, timeline: state.timeline.slice(from), earlier: earlierThan(before, NO_END) };
}

const NO_END: CarriedEnd = { timeline: [], runs: [], attempts: [] };

/** With the attempts that the manifests build on, or without: they are many, and mostly read soon anyway. */
function carriedEnd({ runs, attempts }: ChatState, timeline: readonly TimelineItem[], withBases: boolean): CarriedEnd {
  const inRuns = new Set(timeline.flatMap(({ runId }) => runId ?? []));
  const replies = new Set(
    timeline.flatMap((item) => (item.kind === 'message' && item.message.role === 'assistant' ? [item.message.attemptId] : [])),
  );
  const shown = [...attempts.values()].filter(({ id, runId }) => inRuns.has(runId) || replies.has(id));
  const kept = new Set(shown.map(({ id }) => id));
  for (const { manifest } of withBases ? shown : []) {
    for (let base = manifest.base; base !== null && !kept.has(base); base = attempts.get(base)?.manifest.base ?? null) {
      kept.add(base);
    }
  }
  return {
    timeline,
    runs: [...runs.values()].filter(({ id }) => inRuns.has(id)),
    attempts: [...attempts.values()]
      .filter(({ id }) => kept.has(id))
      .map((attempt) => ({ ...attempt, reply: attempt.reply.map((part) => part ?? null) })),
  };
}

/** Whether nothing that comes next belongs to what is there: see `transcript` for what a run does to its message. */
function isSettled({ runs, timeline }: ChatState): boolean {
  if ([...runs.values()].some(({ status }) => status === 'running')) {
    return false;
  }
  const last = timeline.findLast((item) => item.kind === 'run' || item.message.role === 'user');
  return last === undefined || (last.kind === 'run' && isConcluded(runs.get(last.runId)));
}

function isConcluded(run: RunState | undefined): boolean {
  return run?.status === 'committed' || run?.status === 'stopped';
}
