import { windowAfterReply } from './contextWindow.js';
import { figureValue } from '../model/usage.js';
import type { ModelRef } from '../model/modelRef.js';
import type { AttemptState } from '../chat/slices/attempts.js';
import type { ChatState } from '../chat/state.js';

/**
 * The context window after a reply. `unchanged`: the next request does not contain the reply. `unknown`: the provider
 * did not report all usage. Without reported cache use, the cache figures are null and all input is `uncachedTokens`.
 */
export type ReplyWindowView =
  | {
      readonly kind: 'known';
      /** Sum of uncached, cached, written and output tokens. */
      readonly tokens: number;
      /** The tokens that a request of the chat may have. Null when unknown, or if the user removed the model. */
      readonly limit: number | null;
      readonly uncachedTokens: number;
      readonly cachedTokens: number | null;
      readonly writtenTokens: number | null;
      readonly outputTokens: number;
      /** Whether Loupe counted one of these figures, because the provider did not report it. */
      readonly isEstimate: boolean;
    }
  | { readonly kind: 'unchanged' | 'unknown' };

/** Returns the maximum tokens of a request to a model. Null when unknown. */
export type InputLimit = (model: ModelRef) => number | null;

/** Returns the use of the context window after an attempt's reply. */
export function replyWindowView({ id, model }: AttemptState, state: ChatState, limitOf: InputLimit): ReplyWindowView {
  const window = windowAfterReply(id, state);
  if (window === null) {
    return { kind: 'unchanged' };
  }
  const { tokens, usage } = window;
  if (tokens === null || usage === null || usage.promptTokens === null || usage.completionTokens === null) {
    return { kind: 'unknown' };
  }
  const { promptTokens, cacheReadInputTokens, cacheCreationInputTokens, completionTokens } = usage;
  return {
    kind: 'known',
    tokens,
    limit: limitOf(model),
    uncachedTokens: promptTokens.value,
    cachedTokens: figureValue(cacheReadInputTokens),
    writtenTokens: figureValue(cacheCreationInputTokens),
    outputTokens: completionTokens.value,
    isEstimate: promptTokens.source === 'estimated' || completionTokens.source === 'estimated',
  };
}
