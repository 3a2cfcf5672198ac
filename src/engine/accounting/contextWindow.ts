import { lastReply } from '../chat/branch.js';
import type { AttemptsState } from '../chat/slices/attempts.js';
import type { RunsState } from '../chat/slices/runs.js';
import type { BranchState } from '../chat/timeline.js';
import { inputTokens } from './usage.js';

/**
 * Tokens in the context window after the latest reply: its whole input, and its output, which is part of the next input.
 * Only that reply counts, never a sum over a tool loop. Titles, summary requests and rolled-back runs change nothing. Null
 * before the first reply, or when a figure of its usage is unknown.
 */
export function contextWindowTokens(state: BranchState & RunsState & AttemptsState): number | null {
  const reply = lastReply(state);
  const usage = reply === null ? null : (state.attempts.get(reply.attemptId)?.end?.usage ?? null);
  const input = usage === null ? null : inputTokens(usage);
  const output = usage?.completionTokens ?? null;
  return input === null || output === null ? null : input + output.value;
}
