import { lastReply } from '../chat/branch.js';
import type { Extent } from '../chat/extent.js';
import type { SummaryMessage } from '../chat/message.js';
import { replyText } from '../chat/reply.js';
import type { AttemptsState } from '../chat/slices/attempts.js';
import { activeCompaction, type CompactionState } from '../chat/slices/compaction.js';
import type { RunsState } from '../chat/slices/runs.js';
import { isMessageItem, type BranchState } from '../chat/timeline.js';
import { inputTokens } from './usage.js';

type State = BranchState & RunsState & AttemptsState;

/**
 * Tokens in the context window after the latest reply: its whole input, and its output, which is part of the next input.
 * Only that reply counts, never a sum over a tool loop. Titles, summary requests and rolled-back runs change nothing. Null
 * before the first reply, or when a figure of its usage is unknown. For what a summary after it changes see `newSummaryTokens`.
 */
export function contextWindowTokens(state: State): number | null {
  const reply = lastReply(state);
  const usage = reply === null ? null : (state.attempts.get(reply.attemptId)?.end?.usage ?? null);
  const input = usage === null ? null : inputTokens(usage);
  const output = usage?.completionTokens ?? null;
  return input === null || output === null ? null : input + output.value;
}

/**
 * Tokens of the summary in use, when the latest reply was asked for without it: the output that it came as; where lines were added to
 * that, or it was edited, the tokens of its text. Null when there is none, or when a reply has come since.
 */
export function newSummaryTokens(state: State & CompactionState & Extent): number | null {
  const { timeline } = state;
  const active = activeCompaction(state);
  const reply = lastReply(state);
  const at = timeline.findLastIndex((item) => isMessageItem(item, active?.summaryId ?? ''));
  const summary = timeline[at];
  const isNew = at > timeline.findLastIndex((item) => isMessageItem(item, reply?.id ?? ''));
  if (active === null || !isNew || summary?.kind !== 'message' || summary.message.role !== 'summary') {
    return null;
  }
  return outputOf(summary.message, summary.runId, state) ?? active.tokens.after;
}

/** The reported or estimated output of the request for a summary; null without one, or when the summary is not what it answered. */
function outputOf({ text }: SummaryMessage, runId: string | null, { runs, attempts }: State): number | null {
  const run = runId === null ? undefined : runs.get(runId);
  const attempt = attempts.get(run?.attemptIds.at(-1) ?? '');
  const isAsWritten = attempt !== undefined && replyText(attempt.reply).trim() === text;
  return isAsWritten ? (attempt.end?.usage?.completionTokens?.value ?? null) : null;
}
