import { correctedTokens, type ReadBlocks, windowAfterSummary } from '../../../engine/accounting/contextWindow.js';
import type { SummaryMessage, SentMessage } from '../../../engine/chat/message/message.js';
import { type KnownCompaction, activeCompaction } from '../../../engine/chat/slices/compaction.js';
import { isOfHousekeeping } from '../../../engine/chat/slices/runs.js';
import type { AttemptPurpose, AttemptState } from '../../../engine/chat/slices/attempts.js';
import type { ChatState } from '../../../engine/chat/state.js';
import type { TimelineItem } from '../../../engine/chat/timeline.js';
import { replyText } from '../../../engine/chat/message/reply.js';
import { removedIn } from '../../../engine/compaction/history.js';
import { replacedMessages } from '../../../engine/compaction/range.js';
import { ROUGH_COUNTER } from '../../../engine/tokens/roughCounter.js';
import { manifestBlocksOf } from '../../../engine/request/rebuild.js';
import type { CompactionView } from '../../../protocol/panel/compaction.js';
import {
  type FailedAttempt,
  type OwnRequest,
  type OwnUsage,
  type TitleEntry,
  type TitleRun,
  type ModelName,
  type SummaryEntry,
  MOST_LOST,
  type KeptFacts,
} from '../../../protocol/panel/entries.js';
import type { ChatSession } from '../../chat/chatSession.js';
import { failedBefore } from './failedAttempts.js';
import type { Note } from './runNotes.js';
import { attemptsOfRuns, isCounted, sumReplyUsage } from '../../../engine/accounting/runCost.js';
import { requestFigures } from './replyViews.js';
import { factsOf, type FactKind } from '../../../engine/compaction/facts/facts.js';
import { factTest } from '../../../engine/compaction/facts/keptIn.js';
import { MessageFacts } from '../../../engine/compaction/facts/messageFacts.js';

const STATUSES = {
  running: 'running',
  committed: 'done',
  stopped: 'stopped',
  interrupted: 'stopped',
  failed: 'failed',
  rolledBack: 'failed',
} as const;

/** Returns the newest writing of a title by a model. Null without one in the loaded part of the chat. */
export function newestTitleRun(state: ChatState, nameOf: NameOfModel): TitleRun | null {
  const run = [...state.runs.values()].findLast(({ cause }) => cause === 'title');
  return run === undefined ? null : { status: STATUSES[run.status], requests: ownRequests([run.id], state, nameOf).requests };
}

/**
 * Returns the notes about a summary, or about a title that could not be written. Empty for other items of the same
 * runs. Null for items of other runs.
 */
export function housekeepingNotes(item: TimelineItem, state: ChatState, nameOf: NameOfModel): Note[] | null {
  const run = item.kind === 'run' ? state.runs.get(item.runId) : undefined;
  if (run?.cause === 'title') {
    const { id, error } = run;
    const derive = (): TitleEntry => ({
      kind: 'title',
      id,
      text: error?.message ?? '',
      requests: ownRequests([id], state, nameOf).requests,
    });
    return STATUSES[run.status] === 'failed' ? [{ id, derive }] : [];
  }
  if (run?.cause === 'keepWarm') {
    return keepWarmNotes(run.id, state, nameOf);
  }
  if (item.kind === 'run' || item.message.role !== 'summary') {
    return isOfHousekeeping(item, state.runs) ? [] : null;
  }
  const { message, runId } = item;
  const compaction = [...state.compactions.values()].find(({ summaryId }) => summaryId === message.id);
  return compaction === undefined ? [] : [{ id: message.id, derive: () => summaryEntry({ message, runId, compaction }, state, nameOf) }];
}

/** Returns one note for all keep-warm requests of a pause, at the place of the first one. */
function keepWarmNotes(id: string, state: ChatState, nameOf: NameOfModel): Note[] {
  const runs = [...state.runs.values()].filter(({ cause }) => cause !== 'title');
  const at = runs.findIndex((run) => run.id === id);
  if (runs[at - 1]?.cause === 'keepWarm') {
    return [];
  }
  const end = runs.findIndex(({ cause }, place) => place > at && cause !== 'keepWarm');
  const ids = runs.slice(at, end === -1 ? runs.length : end).map((run) => run.id);
  return [{ id, derive: () => ({ kind: 'keepWarm', id, ...ownRequests(ids, state, nameOf) }) }];
}

interface Summary {
  readonly message: SummaryMessage;
  readonly runId: string | null;
  readonly compaction: KnownCompaction;
}

function summaryEntry({ message, runId, compaction }: Summary, state: ChatState, nameOf: NameOfModel): SummaryEntry {
  const { id, isUndone, tokens, lines } = compaction;
  const replaced = replacedMessages(compaction, state);
  const runIds = [...(compaction.runs ?? []), ...(runId === null ? [] : [runId])];
  return {
    kind: 'summary',
    id: message.id,
    text: message.text,
    status: isUndone ? 'undone' : activeCompaction(state)?.id === id ? 'active' : 'replaced',
    form: compaction.case === 'summarize' ? 'written' : 'leftOut',
    messages: replaced === null ? null : removedIn(replaced, state.pinned),
    tokens: correctedTokens(tokens, runId, state),
    lines: lines.length,
    window: windowAfterSummary(message.id, state, readBlocks),
    pins: replaced?.filter((each) => state.pinned.has(each.id)).length ?? 0,
    kept: replaced === null ? [] : keptFactsOf(compaction, replaced, message.text),
    ...ownRequests(runIds, state, nameOf),
  };
}

function lastAttempt(runId: string | null, { runs }: ChatState): string | null {
  return (runId === null ? undefined : runs.get(runId)?.attemptIds.at(-1)) ?? null;
}

function failedAttempts(runId: string | null, state: ChatState): readonly FailedAttempt[] {
  const run = runId === null ? undefined : state.runs.get(runId);
  return run === undefined ? [] : failedBefore(run, state);
}

/** Returns the view of an offered, running, failed, cancelled or outdated summary. Null in all other states. */
export function compactionView({ compactor: { status, isAwaited }, state }: ChatSession): CompactionView | null {
  switch (status?.kind) {
    case undefined:
      return null;
    case 'failed': {
      const { upTo, runId, error } = status;
      const { message: text, detail } = error;
      return { kind: 'failed', text, detail, upTo, attemptId: lastAttempt(runId, state), failedAttempts: failedAttempts(runId, state) };
    }
    case 'due':
    case 'cancelled':
    case 'outdated':
      return status;
    case 'planned':
    case 'drafted':
      return null;
    case 'running': {
      const { messages, startedAt, mostTokens, runId } = status;
      const attempt = state.attempts.get(lastAttempt(runId, state) ?? '');
      // Estimates the tokens, because the figure only shows the progress.
      const tokens = ROUGH_COUNTER.count(replyText(attempt?.reply ?? []));
      return { kind: 'running', messages, startedAt, tokens, mostTokens, isAwaited };
    }
  }
}

const knownBlocks = new WeakMap<AttemptState, NonNullable<ReturnType<ReadBlocks>>>();

/** Caches the blocks of requests. A request's record never changes, but may be a long chain of differences. */
const readBlocks: ReadBlocks = (attempt, attempts) => {
  const blocks = knownBlocks.get(attempt) ?? manifestBlocksOf(attempt, attempts);
  // Null when earlier records, which this record depends on, are not loaded yet.
  if (blocks !== null) {
    knownBlocks.set(attempt, blocks);
  }
  return blocks;
};

export type NameOfModel = (attempt: AttemptState) => ModelName;

/** Returns the requests of runs that Loupe started for its own purposes, with their total usage. */
function ownRequests(runIds: readonly string[], state: ChatState, nameOf: NameOfModel): OwnUsage {
  const attempts = attemptsOfRuns(runIds, state);
  const counted = attempts.filter(isCounted);
  const { usd: cost, isAtLeast, isPretended } = sumReplyUsage(counted);
  return {
    cost,
    isAtLeast,
    isPretended,
    paidRequests: counted.length,
    requests: attempts.flatMap((attempt) => ownRequest(attempt, state, nameOf)),
  };
}

function ownRequest(attempt: AttemptState, state: ChatState, nameOf: NameOfModel): OwnRequest[] {
  const { id: attemptId, purpose, runId } = attempt;
  return isOwn(purpose)
    ? [{ attemptId, purpose, asked: askedIn(runId, state), model: nameOf(attempt).label, ...requestFigures(attempt) }]
    : [];
}

function isOwn(purpose: AttemptPurpose): purpose is OwnRequest['purpose'] {
  return purpose !== 'reply';
}

/** Returns the instructions that Loupe sent to the model in a run for a title or summary. */
function askedIn(runId: string | null, { timeline }: ChatState): string | null {
  for (const item of timeline) {
    if (item.kind === 'message' && item.runId === runId) {
      const { message } = item;
      if (message.role === 'system-title' || message.role === 'system-summary') {
        return message.text;
      }
    }
  }
  return null;
}

/** The kinds of facts with their labels, in display order. */
const LABELS: readonly (readonly [FactKind, string])[] = [
  ['constraint', 'Constraints'],
  ['decision', 'Decisions'],
  ['question', 'Open questions'],
  ['statement', 'Your statements'],
  ['path', 'File paths'],
  ['error', 'Error texts'],
  ['figure', 'Figures'],
  ['identifier', 'Names in code'],
];

const known = new WeakMap<KnownCompaction, readonly KeptFacts[]>();

/** Returns which facts of the replaced messages a summary kept. Cached, because neither ever changes. */
function keptFactsOf(compaction: KnownCompaction, replaced: readonly SentMessage[], text: string): readonly KeptFacts[] {
  const facts = known.get(compaction) ?? keptFacts(replaced, text);
  known.set(compaction, facts);
  return facts;
}

/** Returns per kind how many facts the summary kept, and which are lost. Omits kinds without facts. */
export function keptFacts(replaced: readonly SentMessage[], text: string): readonly KeptFacts[] {
  const facts = factsOf(replaced, new MessageFacts());
  const isKept = factTest(text);
  return LABELS.flatMap(([kind, label]) => {
    const all = facts.filter((fact) => fact.kind === kind);
    const lost = all.filter((fact) => !isKept(fact)).map((fact) => fact.text);
    return all.length === 0 ? [] : [{ label, kept: all.length - lost.length, all: all.length, lost: lost.slice(0, MOST_LOST) }];
  });
}
