import type { ChatState } from '../chat/state.js';
import type { Model } from '../model/model.js';
import { modelKey } from '../model/modelRef.js';
import { promptBlocks } from '../model/prompt.js';
import { figureValue } from '../model/usage.js';
import { manifestBase } from '../request/base.js';
import { SUMMARY_KEY } from '../request/gather.js';
import type { ComposedRequest } from './compose.js';

/** Whether the request contains a summary that is new or different since the last request. */
export function isNewSummary(
  { prompt }: Pick<ComposedRequest, 'prompt'>,
  state: Pick<ChatState, 'attempts' | 'runs' | 'timeline'>,
): boolean {
  const summary = promptBlocks(prompt).find(({ key }) => key.startsWith(SUMMARY_KEY));
  const sent = summary === undefined ? undefined : manifestBase(state)?.content?.blocks;
  return sent !== undefined && !sent.some(({ key, hash }) => key === summary?.key && hash === summary.hash);
}

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
