import { UNKNOWN_INPUT_LIMIT } from '../../engine/budget/budget.js';
import type { Excess } from '../../engine/request/request.js';
import { promptBlocks } from '../../engine/model/prompt.js';
import type { Model } from '../../engine/model/model.js';
import type { BudgetCheck } from '../../engine/next/inputs.js';
import { messageOf } from '../../engine/next/room.js';

const SET_SIZE = "set the model's context size";

/** Returns a text with the reason why the request is too long and its largest parts. Null when the request fits. */
export function overBudget(check: BudgetCheck): string | null {
  const { excess, isPartial, isLimitAssumed, model } = check;
  if (excess === null) {
    return null;
  }
  const [cause, way] = isLimitAssumed ? [assumed(model), SET_SIZE] : ['', 'choose a model with a larger context'];
  if (excess.budget === 0) {
    return (
      `Loupe cannot send a request: the tokens kept free for the reply fill the whole context limit. ${cause}` +
      `Lower "Kept free for the reply" in the chat settings, or ${way}.`
    );
  }
  const total = excess.tokens.toLocaleString('en-US');
  const limit = excess.budget.toLocaleString('en-US');
  if (isPartial) {
    // All known parts are at the end of the conversation, and none alone is too long, so the text names no part.
    return `The request is too long: over ${total} tokens, limit ${limit}. ${cause}Start a new chat, fork this chat at an earlier reply, or ${way}.`;
  }
  const largest = excess.largest.map(({ key, tokens }) => `${blockName(key, check)} ${tokens.toLocaleString('en-US')}`);
  const parts = largest.length > 0 ? `Largest parts: ${largest.join(', ')}.` : `All ${String(excess.parts)} parts are small.`;
  return `The request is too long: ${total} tokens, limit ${limit}. ${parts} ${remedy(excess, check)}`;
}

/** Returns a text that says where the limit comes from and how to make room. Loupe has already dropped files. */
function remedy(excess: Excess, check: BudgetCheck): string {
  const { isLimitLearned, isLimitAssumed, model } = check;
  const room = makesRoom(excess, check);
  if (isLimitLearned) {
    return `The server accepts fewer tokens than expected. Loupe uses this lower limit for an hour. ${room}, or choose another model.`;
  }
  if (isLimitAssumed) {
    return `${assumed(model)}${room}, or ${SET_SIZE}.`;
  }
  const isOwn = model.maxInputTokens === null || excess.tokens <= model.maxInputTokens;
  return isOwn
    ? `This limit is set in the chat settings. ${room}, or raise the limit there.`
    : `This is the limit of the model. ${room}, or choose a model with a larger context.`;
}

function assumed({ label }: Pick<Model, 'label'>): string {
  return `The context size of ${label} is unknown: Loupe assumes ${UNKNOWN_INPUT_LIMIT.toLocaleString('en-US')} tokens. `;
}

function makesRoom({ tokens, budget, largest }: Excess, { prompt, pinned, answered }: BudgetCheck): string {
  const first = largest[0]?.key ?? '';
  if (messageOf(first) === answered && answered !== null) {
    return 'Shorten your message';
  }
  const kept = promptBlocks(prompt).filter(({ key }) => pinned.has(messageOf(key) ?? ''));
  if (kept.reduce((sum, block) => sum + block.tokens, 0) >= tokens - budget) {
    return 'Unpin messages, shorten your message';
  }
  return first.startsWith('system:') ? 'Shorten the system prompt' : 'Summarize the conversation, start a new chat';
}

function blockName(key: string, { pinned, answered }: BudgetCheck): string {
  const [kind, ...rest] = key.split(':');
  switch (kind) {
    case 'message': {
      const id = messageOf(key) ?? '';
      return id === answered ? 'your message' : pinned.has(id) ? 'pinned message' : 'message';
    }
    case 'retiredTool':
      return `tool ${rest.join(':')}`;
    case 'system':
      return 'system prompt';
    case 'summary':
      return 'summary';
    default:
      return key;
  }
}
