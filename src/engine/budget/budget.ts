import type { ChatConfig } from '../chat/config.js';
import type { Model } from '../run/model.js';

/*
 * How many tokens a request may hold. All figures are tokens by the model's counter, framing included.
 */

/**
 * The input limit taken for a model that tells none: the smallest window that is still usual (local servers
 * often load a model with it). Too small only compacts early; too large would have requests refused.
 */
export const UNKNOWN_INPUT_LIMIT = 8_192;

export type BudgetConfig = Pick<ChatConfig, 'maxPromptTokens' | 'reservedResponseTokens'>;
export type ModelLimits = Pick<Model, 'maxInputTokens' | 'maxOutputTokens'>;

/**
 * B, the tokens that a prompt may have: min(maxPromptTokens, the model's input limit) minus the tokens reserved
 * for the reply. Never negative. Without `maxPromptTokens` the model's limit rules, without that one
 * `UNKNOWN_INPUT_LIMIT`; a `maxPromptTokens` set for a model of unknown limit is taken at its word, since whoever
 * set it knows more than the guess does.
 */
export function promptBudget(config: BudgetConfig, limits: ModelLimits): number {
  return Math.max(0, promptLimit(config.maxPromptTokens, limits.maxInputTokens) - config.reservedResponseTokens);
}

function promptLimit(maxPromptTokens: number | null, maxInputTokens: number | null): number {
  if (maxPromptTokens === null) {
    return maxInputTokens ?? UNKNOWN_INPUT_LIMIT;
  }
  return maxInputTokens === null ? maxPromptTokens : Math.min(maxPromptTokens, maxInputTokens);
}

/**
 * The output limit that a request with a prompt of `promptTokens` asks for: min(the model's output limit, what
 * the window has left). Never negative; 0 says that the prompt leaves no room for a reply. Null when neither
 * limit is known: then the request names none and the provider's own default rules. (The reserve of the budget
 * only shapes B; it is no limit of the reply.)
 */
export function outputLimit(limits: ModelLimits, promptTokens: number): number | null {
  if (limits.maxInputTokens === null) {
    return limits.maxOutputTokens;
  }
  const room = Math.max(0, limits.maxInputTokens - promptTokens);
  return limits.maxOutputTokens === null ? room : Math.min(limits.maxOutputTokens, room);
}
