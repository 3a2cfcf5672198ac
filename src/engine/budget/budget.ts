import type { ChatConfig } from '../chat/config.js';
import type { Model } from '../run/model.js';
import type { RequestSize } from '../tokens/requestSize.js';

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

/** Relative error taken for an estimate that nothing was measured of yet: tokenizers differ by about as much. */
const UNMEASURED_ERROR = 0.1;

/** An estimate is typically off by its error, so that half of them are off by more; few by three times as much. */
const ERROR_MARGIN = 3;

/**
 * What is asked for at least while the window has that much room: were an estimate's whole margin kept free near the
 * end of the window, nothing would be left for the reply.
 */
const LEAST_OUTPUT = 1_024;

/**
 * The output limit that a request of `size` asks for: min(the model's output limit, what the window surely has left).
 * Providers refuse a request whose prompt and output limit together exceed the window, by a single token too, so an
 * estimated prompt is taken with a margin. Never negative; 0 says that the prompt leaves no room for a reply. Null
 * when the model's output limit is not known: then the request names none and the provider's own default rules, since
 * the room of the window may be far more than the model writes, which is refused as well. (The reserve of the budget
 * only shapes B; it is no limit of the reply.)
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
