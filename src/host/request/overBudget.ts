import { UNKNOWN_INPUT_LIMIT } from '../../engine/budget/budget.js';
import { LEAST_NOTE } from '../../engine/compaction/emergency.js';
import { LEAST_SUMMARY_TOKENS, MOST_SUMMARY_TOKENS } from '../../engine/compaction/summaryBudget.js';
import type { Excess, Request } from '../../engine/request/request.js';
import { SUMMARY_KEY } from '../../engine/request/gather.js';
import { promptBlocks } from '../../engine/model/prompt.js';
import type { Model } from '../../engine/model/model.js';
import { scaledTokens } from '../../engine/record/requestSize.js';
import type { BudgetCheck } from '../../engine/next/inputs.js';

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

/** Maximum share of the free space for a shortened message. Models do not write an exact number of tokens. */
const FILLED = 0.8;

/** The maximum share of a request for the shortened text, because the next part of the original message follows it. */
const MOST_SHARE = 0.5;

export interface Shortening {
  readonly tokens: number;
  readonly mostTokens: number;
}

/**
 * Returns how long the newest message is and how short it must become. Null when there is no room for the message, or
 * when another part of the request is the largest.
 */
export function shorteningOf(
  { excess, isPartial, prompt, answered }: BudgetCheck,
  { size, budget }: Pick<Request, 'size' | 'budget'>,
): Shortening | null {
  const isCause = excess !== null && !isPartial && answered !== null && messageOf(excess.largest[0]?.key ?? '') === answered;
  if (!isCause) {
    return null;
  }
  const own = promptBlocks(prompt).reduce((sum, { key, tokens }) => sum + (messageOf(key) === answered ? tokens : 0), 0);
  const tokens = scaledTokens(own, size);
  const room = budget - (size.tokens - tokens);
  const mostTokens = Math.floor(Math.min(room * FILLED, budget * MOST_SHARE, MOST_SUMMARY_TOKENS));
  return room < LEAST_SUMMARY_TOKENS ? null : { tokens, mostTokens };
}

/** Returns whether a request that is too long may fit if a summary replaces all messages before the newest message. */
export function fitsWithSummary(check: BudgetCheck, { size, budget }: Pick<Request, 'size' | 'budget'>): boolean {
  const freed = earlierTokens(check, size);
  return freed > LEAST_SUMMARY_TOKENS && size.tokens - freed + LEAST_SUMMARY_TOKENS <= budget;
}

/** Returns whether a request that is too long fits if a short note replaces all messages before the newest message. */
export function fitsWithNote(
  { excess, prompt, pinned, answered }: BudgetCheck,
  { size, budget }: Pick<Request, 'size' | 'budget'>,
): boolean {
  const freed = earlierTokens({ prompt, pinned, answered }, size) + scaledTokens(summaryTokens(prompt), size);
  return excess !== null && freed > 0 && size.tokens - freed + LEAST_NOTE <= budget;
}

function summaryTokens(prompt: BudgetCheck['prompt']): number {
  return promptBlocks(prompt).reduce((sum, { key, tokens }) => sum + (key.startsWith(SUMMARY_KEY) ? tokens : 0), 0);
}

/** Returns the tokens of all messages except pinned messages and the newest user message. */
function earlierTokens({ prompt, pinned, answered }: Pick<BudgetCheck, 'prompt' | 'pinned' | 'answered'>, size: Request['size']): number {
  const earlier = promptBlocks(prompt).filter(({ key }) => {
    const id = messageOf(key);
    return id !== null && id !== answered && !pinned.has(id);
  });
  return scaledTokens(
    earlier.reduce((sum, block) => sum + block.tokens, 0),
    size,
  );
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

/** Returns the id of the message that contains the block `key`, or null when no message does. */
function messageOf(key: string): string | null {
  return key.startsWith('message:') ? key.slice('message:'.length, key.lastIndexOf('/')) : null;
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
