import { lastReply } from '../chat/branch.js';
import type { AttemptsState } from '../chat/slices/attempts.js';
import type { RunsState } from '../chat/slices/runs.js';
import type { BranchState } from '../chat/timeline.js';
import { inputTokens } from './usage.js';

/**
 * Tokens in the context window after the latest reply: its whole input and its output, since the output is part
 * of the next input. Only the latest reply of the conversation counts, never a sum over a tool loop; titles,
 * requests for summaries and what was rolled back change nothing. Null before the first reply, or when it reported no usage.
 */
export function contextWindowTokens(state: BranchState & RunsState & AttemptsState): number | null {
  const reply = lastReply(state);
  const usage = reply === null ? null : (state.attempts.get(reply.attemptId)?.end?.usage ?? null);
  const input = usage === null ? null : inputTokens(usage);
  const output = usage?.completionTokens ?? null;
  return input === null || output === null ? null : input + output.value;
}
