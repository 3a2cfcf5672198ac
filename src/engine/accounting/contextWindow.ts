import type { ChatState } from '../chat/fold.js';
import type { AssistantMessage } from '../chat/message.js';
import { transcript } from '../chat/transcript.js';
import { inputTokens } from './usage.js';

/**
 * Tokens in the context window after the latest reply: its whole input and its output, since the output is part
 * of the next input. Only the latest reply of the conversation counts, never a sum over a tool loop; titles,
 * requests for summaries and what was rolled back change nothing. Null before the first reply, or when it reported no usage.
 */
export function contextWindowTokens(state: ChatState): number | null {
  const reply = latestReply(state);
  if (reply === null) {
    return state.earlier?.contextWindow ?? null;
  }
  const usage = state.attempts.get(reply.attemptId)?.end?.usage ?? null;
  const input = usage === null ? null : inputTokens(usage);
  const output = usage?.completionTokens ?? null;
  return input === null || output === null ? null : input + output.value;
}

function latestReply(state: ChatState): AssistantMessage | null {
  return transcript(state).messages.findLast((message) => message.role === 'assistant') ?? null;
}
