import { contextWindowTokens } from '../accounting/contextWindow.js';
import { ledgerTotals } from '../accounting/ledger.js';
import type { UsageTotals } from '../accounting/usage.js';
import type { SessionContextItem } from '../context/item.js';
import type { ChatState, RunState } from './fold.js';
import { isConversation } from './message.js';
import { openingOf, type Opening } from './opening.js';

/*
 * The fold of a log can begin in its middle: at a snapshot of the state there. A snapshot keeps of the conversation
 * before it only what is told of it without showing it, so it is small however long the chat is. What follows can be
 * folded onto it as long as nothing there reaches back behind it; the fold finds out when something does.
 */

/** Of what the fold makes of the same events. A change of the fold or of these shapes makes it grow. */
export const FOLD_VERSION = 1;

/** What stands before the part of a log that was read, as far as it is told of without being there. */
export interface Earlier {
  /** Messages of people and models on the branch. */
  readonly messages: number;
  /** Attempts, those of branches that were left included. */
  readonly attempts: number;
  /** The ledger up to there. */
  readonly totals: UsageTotals;
  /** Tokens in the context window after the last reply; null when they are not known. */
  readonly contextWindow: number | null;
  /** Null when there is no user message. */
  readonly opening: Opening | null;
}

/** The state of a chat at a point of its log, as plain JSON. */
export interface FoldSnapshot
  extends Pick<ChatState, 'chatId' | 'createdAt' | 'updatedAt' | 'folders' | 'parent' | 'importedFrom' | 'config' | 'title' | 'problems'> {
  readonly context: readonly SessionContextItem[];
  readonly earlier: Earlier;
}

/**
 * The snapshot of a state; null where none can be taken, because what comes next may well change what is there: a
 * run goes on, a message waits for its answer, or the last run may be continued.
 */
export function snapshotOf(state: ChatState): FoldSnapshot | null {
  if (!isSettled(state)) {
    return null;
  }
  const { chatId, createdAt, updatedAt, folders, parent, importedFrom, config, title, problems } = state;
  return {
    ...{ chatId, createdAt, updatedAt, folders, parent, importedFrom, config, title, problems: [...problems] },
    context: [...state.context.values()],
    earlier: {
      messages: countMessages(state),
      attempts: countAttempts(state),
      totals: ledgerTotals(state),
      contextWindow: contextWindowTokens(state),
      opening: chatOpening(state),
    },
  };
}

/** Messages of people and models on the branch on show, those that were not read included. */
export function countMessages({ timeline, earlier }: ChatState): number {
  const here = timeline.filter((item) => item.kind === 'message' && isConversation(item.message));
  return here.length + (earlier?.messages ?? 0);
}

/** All attempts ever made, those that were not read included. */
export function countAttempts({ attempts, earlier }: ChatState): number {
  return attempts.size + (earlier?.attempts ?? 0);
}

/** How the conversation begins, though its beginning was not read; null when nobody has said anything. */
export function chatOpening({ timeline, earlier }: ChatState): Opening | null {
  return earlier?.opening ?? openingOf(timeline);
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
