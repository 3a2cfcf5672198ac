import type { ChatState } from '../chat/state.js';
import type { Model } from '../model/model.js';
import { modelKey } from '../model/modelRef.js';
import { figureValue } from '../model/usage.js';

/** Whether the cache may hold a part of the next request, because an earlier request read or wrote cached tokens. */
export function mayBeCached({ attempts, config }: Pick<ChatState, 'attempts' | 'config'>, { ref, capabilities }: Model): boolean {
  // A provider without breakpoints caches automatically, with any cache mode of the chat.
  if (config.cacheMode === 'all-off' && capabilities.cache.kind === 'marks') {
    return false;
  }
  const key = modelKey(ref);
  return [...attempts.values()].some(({ model, end }) => {
    const { cacheReadInputTokens = null, cacheCreationInputTokens = null } = end?.usage ?? {};
    return modelKey(model) === key && ((figureValue(cacheReadInputTokens) ?? 0) > 0 || (figureValue(cacheCreationInputTokens) ?? 0) > 0);
  });
}
