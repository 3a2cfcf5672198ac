import type { AttemptState, ChatState } from '../chat/fold.js';
import { transcript } from '../chat/transcript.js';
import { inputTokens } from './usage.js';

/**
 * Tokens in the context window after the latest reply: its whole input and its output, since the output is part
 * of the next input. Only the latest reply of the conversation counts, never a sum over a tool loop; titles,
 * requests for summaries and what was rolled back change nothing. Null before the first reply, or when it reported no usage.
 */
export function contextWindowTokens(state: ChatState): number | null {
  const usage = latestReply(state)?.end?.usage ?? null;
  const input = usage === null ? null : inputTokens(usage);
  const output = usage?.completionTokens ?? null;
  return input === null || output === null ? null : input + output.value;
}

function latestReply(state: ChatState): AttemptState | undefined {
  const reply = transcript(state).messages.findLast((message) => message.role === 'assistant');
  return reply === undefined ? undefined : state.attempts.get(reply.attemptId);
}
