import type { JsonObject } from '../../engine/json.js';
import type { Block } from '../../engine/model/block.js';
import type { WireMessage } from '../../engine/model/prompt.js';
import { count, member, textMember } from '../json.js';

/** Returns the fixed thinking budget in tokens. Null without a fixed budget. */
export function thinkingBudget(extraBody: JsonObject): number | null {
  const thinking = extraBody['thinking'];
  return textMember(thinking, 'type') === 'enabled' ? count(member(thinking, 'budget_tokens')) : null;
}

/**
 * Whether the thinking budget fits into the reply. The API requires a budget below the output limit, which shrinks as
 * the conversation grows. If the budget does not fit, Loupe sends the request without thinking.
 */
export function fitsThinking(extraBody: JsonObject, maxTokens: number): boolean {
  const budget = thinkingBudget(extraBody);
  return budget === null || budget < maxTokens;
}

export function isThinkingDisabled(extraBody: JsonObject): boolean {
  return textMember(extraBody['thinking'], 'type') === 'disabled';
}

/**
 * Whether a request must omit its `thinking` member. A tool loop is a chain of tool calls and results after a user
 * message. With a fixed budget (`enabled`), the API refuses a conversation whose last tool loop started without
 * thinking, for example after a change of the model. The next user message starts a turn with thinking.
 */
export function mustLeaveOutThinking(extraBody: JsonObject, messages: readonly WireMessage[], replaysReasoning: boolean): boolean {
  if (textMember(extraBody['thinking'], 'type') !== 'enabled') {
    return false;
  }
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  if (!hasCalls(messages[last])) {
    return false;
  }
  const hasBegun = startsWithReasoning(messages[last]) || startsWithReasoning(messages[loopStart(messages, last)]);
  return !(replaysReasoning && hasBegun);
}

/** Returns the index of the assistant message that started the tool loop of message `last`. */
function loopStart(messages: readonly WireMessage[], last: number): number {
  let start = last;
  while (start >= 2 && onlyResults(messages[start - 1]) && hasCalls(messages[start - 2])) {
    start -= 2;
  }
  return start;
}

function hasCalls(message: WireMessage | undefined): boolean {
  return message?.role === 'assistant' && message.blocks.some(({ part }) => part.type === 'toolCall');
}

function onlyResults(message: WireMessage | undefined): boolean {
  return message?.blocks.every(({ part }) => part.type === 'toolResult') === true;
}

function startsWithReasoning(message: WireMessage | undefined): boolean {
  return message?.blocks[0]?.part.type === 'reasoning';
}

/**
 * Returns the reasoning of an assistant message that the API refuses:
 * - all of it, when the message does not start with reasoning
 * - reasoning at the end, as in a reply that was stopped before its first word
 * Without thinking, the API refuses reasoning in the last turn and ignores earlier reasoning, so all of it is omitted.
 */
export function refusedReasoning(blocks: readonly Block[], replaysReasoning: boolean): ReadonlySet<Block> {
  const sent = blocks.filter(({ part }) => part.type !== 'text' || part.text.trim() !== '');
  const end = sent.findLastIndex(({ part }) => part.type !== 'reasoning');
  const mayStand = replaysReasoning && sent[0]?.part.type === 'reasoning';
  const refused = mayStand ? sent.slice(end + 1) : sent;
  return new Set(refused.filter(({ part }) => part.type === 'reasoning'));
}
