import type { AttemptState, ChatState } from '../chat/fold.js';
import { inputTokens } from './usage.js';

/**
 * Tokens in the context window after the latest reply: its whole input and its output, since the output is part
 * of the next input. Only the latest reply of the branch counts, never a sum over a tool loop; titles and
 * requests for summaries change nothing. Null before the first reply, or when it reported no usage.
 */
export function contextWindowTokens(state: ChatState): number | null {
  const usage = latestReply(state)?.end?.usage ?? null;
  const input = usage === null ? null : inputTokens(usage);
  const output = usage?.completionTokens ?? null;
  return input === null || output === null ? null : input + output.value;
}

function latestReply(state: ChatState): AttemptState | undefined {
  for (const item of [...state.timeline].reverse()) {
    if (item.kind === 'message' && item.message.role === 'assistant') {
      return state.attempts.get(item.message.attemptId);
    }
  }
  return undefined;
}
