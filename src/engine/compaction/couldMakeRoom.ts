import { messageTexts, type SentMessage } from '../chat/message.js';
import type { ChatState } from '../chat/state.js';
import { ROUGH_COUNTER } from '../tokens/roughCounter.js';
import { historyOf } from './history.js';
import { gain, planAt } from './plan.js';
import { openMessages } from './range.js';

/** Whether a summary would shorten the next request, by a rough count of what is loaded. A message that was not sent is no part of it. */
export function couldMakeRoom(state: ChatState): boolean {
  const history = historyOf(
    openMessages(state).map((message) => ({ message, tokens: roughTokens(message) })),
    state.pinned,
  );
  return gain(planAt(history, history.messages.length, 'summarize')) > 0;
}

/** Of a large tool result only the begin counts, so a conversation has at least so many tokens. */
function roughTokens(message: SentMessage): number {
  return messageTexts(message).reduce((sum, text) => sum + ROUGH_COUNTER.count(text), 0);
}
