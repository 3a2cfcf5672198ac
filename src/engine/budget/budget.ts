import type { ChatConfig } from '../chat/settings/config.js';
import type { Model } from '../model/model.js';
import type { RequestSize } from '../record/requestSize.js';

/* Limits for the tokens of a request, by the model's counter, with the tokens that the wire format adds. */

/**
 * The input limit that Loupe assumes for a model without a known limit. It is the smallest context window that is still
 * common: local servers often load models with it. A limit that is too low only makes summaries start early. With a
 * limit that is too high, providers refuse requests.
 */
export const UNKNOWN_INPUT_LIMIT = 8_192;

export type BudgetConfig = Pick<ChatConfig, 'maxPromptTokens' | 'reservedResponseTokens'>;
export type ModelLimits = Pick<Model, 'maxInputTokens' | 'maxOutputTokens'>;

/**
 * Returns the tokens that a prompt may have: min(`maxPromptTokens`, the model's input limit) - the tokens reserved for
 * the reply. Never negative. An unknown limit is ignored. `UNKNOWN_INPUT_LIMIT` applies only when both limits are
 * unknown: a user who sets `maxPromptTokens` knows the model better.
 */
export function promptBudget(config: BudgetConfig, limits: Pick<ModelLimits, 'maxInputTokens'>): number {
  return Math.max(0, promptLimit(config, limits) - config.reservedResponseTokens);
}

/** Returns the maximum number of tokens for the prompt plus the tokens reserved for the reply. */
export function promptLimit(
  { maxPromptTokens }: Pick<BudgetConfig, 'maxPromptTokens'>,
  { maxInputTokens }: Pick<ModelLimits, 'maxInputTokens'>,
): number {
  if (maxPromptTokens === null) {
    return maxInputTokens ?? UNKNOWN_INPUT_LIMIT;
  }
  return maxInputTokens === null ? maxPromptTokens : Math.min(maxPromptTokens, maxInputTokens);
}

/** Whether the limit is a guess, because neither the model's limit nor a limit of the chat is known. */
export function isLimitAssumed(
  { maxPromptTokens }: Pick<BudgetConfig, 'maxPromptTokens'>,
  { maxInputTokens }: Pick<ModelLimits, 'maxInputTokens'>,
): boolean {
  return maxPromptTokens === null && maxInputTokens === null;
}

/**
 * The share of the model's input limit that an estimated request with files may fill. Estimates can be about 10 % too
 * low, because tokenizers differ, and a provider refuses requests over the limit.
 */
const ESTIMATED_SHARE = 0.9;

/** Returns the largest size of a request with files. For an estimate, at most `ESTIMATED_SHARE` of the input limit. */
export function roomLimit(
  budget: number,
  { maxInputTokens }: Pick<ModelLimits, 'maxInputTokens'>,
  { basis }: Pick<RequestSize, 'basis'>,
): number {
  return basis === 'estimate' && maxInputTokens !== null ? Math.min(budget, Math.floor(maxInputTokens * ESTIMATED_SHARE)) : budget;
}

/** Relative error assumed before the first measurement: tokenizers differ by about this much. */
const UNMEASURED_ERROR = 0.1;

/** The margin is this many times the median error. Few estimates have an error above three times the median. */
const ERROR_MARGIN = 3;

/** Minimum output limit after the margin for an estimate is subtracted, if the context window has that much room. */
const LEAST_OUTPUT = 1_024;

/**
 * Returns the output limit of a request of `size`: min(the model's output limit, the room left in the context window).
 * Providers refuse a request when prompt and output limit together exceed the window, even by one token. So an
 * estimated prompt gets a margin. Never negative; 0 means that the prompt leaves no room for a reply.
 *
 * Null when the model's output limit is unknown. The request then contains no limit, and the provider's default
 * applies. Loupe cannot send the room in the window instead: providers refuse a limit above the model's output limit.
 *
 * The budget's reserve for the reply only reduces the prompt budget; it does not limit the reply.
 */
export function outputLimit(limits: ModelLimits, size: Pick<RequestSize, 'tokens' | 'basis' | 'error'>): number | null {
  const { maxInputTokens, maxOutputTokens } = limits;
  if (maxInputTokens === null || maxOutputTokens === null) {
    return maxOutputTokens;
  }
  const room = Math.max(0, maxInputTokens - size.tokens);
  const margin = size.basis === 'estimate' ? Math.ceil(size.tokens * ERROR_MARGIN * (size.error ?? UNMEASURED_ERROR)) : 0;
  return Math.min(maxOutputTokens, Math.max(room - margin, Math.min(room, LEAST_OUTPUT)));
}
