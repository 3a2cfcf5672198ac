import { windowAfterReply } from '../../../engine/accounting/contextWindow.js';
import { figureValue } from '../../../engine/model/usage.js';
import type { ModelRef } from '../../../engine/model/modelRef.js';
import type { AttemptState } from '../../../engine/chat/slices/attempts.js';
import type { ChatState } from '../../../engine/chat/state.js';
import type { ReplyWindowView } from '../../../protocol/panel/requestRows.js';

/** Returns the maximum input tokens of a model. Null when unknown. */
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
