import type { ChatConfig } from '../chat/settings/config.js';
import type { Model } from '../model/model.js';
import type { RequestSize } from '../record/requestSize.js';

/*
 * How many tokens a request may have. All figures are tokens by the model's counter, with framing.
 */

/**
 * The input limit assumed for a model that tells none: the smallest context window that is still common (local servers
 * often load a model with it). Too small a limit only compacts early; too large a one makes the provider refuse requests.
 */
export const UNKNOWN_INPUT_LIMIT = 8_192;

export type BudgetConfig = Pick<ChatConfig, 'maxPromptTokens' | 'reservedResponseTokens'>;
export type ModelLimits = Pick<Model, 'maxInputTokens' | 'maxOutputTokens'>;

/**
 * B, the tokens that a prompt may have: min(`maxPromptTokens`, the model's input limit) - the tokens reserved for the
 * reply. Never negative. A missing limit does not count; when both are missing, the limit is `UNKNOWN_INPUT_LIMIT`. So a
 * `maxPromptTokens` overrides that guess, because the user knows more.
 */
export function promptBudget(config: BudgetConfig, limits: ModelLimits): number {
  return Math.max(0, promptLimit(config, limits) - config.reservedResponseTokens);
}

/** The limit that the budget comes from: what prompt and reserve may have together. */
export function promptLimit(
  { maxPromptTokens }: Pick<BudgetConfig, 'maxPromptTokens'>,
  { maxInputTokens }: Pick<ModelLimits, 'maxInputTokens'>,
): number {
  if (maxPromptTokens === null) {
    return maxInputTokens ?? UNKNOWN_INPUT_LIMIT;
  }
  return maxInputTokens === null ? maxPromptTokens : Math.min(maxPromptTokens, maxInputTokens);
}

/** Whether the limit is a guess: neither the model nor the chat has one. */
export function isLimitAssumed(
  { maxPromptTokens }: Pick<BudgetConfig, 'maxPromptTokens'>,
  { maxInputTokens }: Pick<ModelLimits, 'maxInputTokens'>,
): boolean {
  return maxPromptTokens === null && maxInputTokens === null;
}

/**
 * The share of its model's input limit that a request with files may take by an estimate: the reference's own. Tokenizers
 * differ by about as much as it leaves, and a provider refuses what is over the limit.
 */
const ESTIMATED_SHARE = 0.9;

/**
 * The tokens over which a request has no room for its files: B. For an estimate also not more than `ESTIMATED_SHARE` of the
 * model's input limit, where that is known.
 */
export function roomLimit(
  budget: number,
  { maxInputTokens }: Pick<ModelLimits, 'maxInputTokens'>,
  { basis }: Pick<RequestSize, 'basis'>,
): number {
  return basis === 'estimate' && maxInputTokens !== null ? Math.min(budget, Math.floor(maxInputTokens * ESTIMATED_SHARE)) : budget;
}

/** Relative error assumed before the first measurement: tokenizers differ by about as much. */
const UNMEASURED_ERROR = 0.1;

/** The error is a median, so half of the estimates are off by more. Few are off by three times as much. */
const ERROR_MARGIN = 3;

/**
 * Least output limit of a request while the context window has that much room. Near the end of the window, the margin
 * for an estimate would otherwise leave nothing for the reply.
 */
const LEAST_OUTPUT = 1_024;

/**
 * The output limit that a request of `size` asks for: min(the model's output limit, the room left in the context window).
 * Providers refuse a request whose prompt and output limit together exceed the window, even by one token, so an estimated
 * prompt gets a margin. Never negative; 0 means that the prompt leaves no room for a reply.
 *
 * Null when the model's output limit is unknown. Then the request names no limit and the provider's default applies: the
 * room of the window may be more than the model can write, which providers also refuse.
 *
 * The budget's reserve for the reply only shapes B; it does not limit the reply.
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
