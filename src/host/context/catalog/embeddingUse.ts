import { isTurnedDown } from '../../../engine/chat/billedUsage.js';
import { chargeOf } from '../../../engine/model/price.js';
import { UNKNOWN_USE, type MadeRequests } from '../../../engine/accounting/madeRequests.js';
import type { Usage } from '../../../engine/model/usage.js';
import { toLoupeError } from '../../../engine/errors.js';
import type { HttpExchange } from '../../../engine/model/httpExchange.js';
import { ROUGH_COUNTER } from '../../../engine/tokens/roughCounter.js';
import type { Embedder } from '../../../providers/endpoint.js';

/** Requests the vectors of texts and adds the usage to `made`. Rejects like `Embedder.embed`. */
export async function embedCounted(
  texts: readonly string[],
  { embedder, signal, made }: { readonly embedder: Embedder; readonly signal: AbortSignal; readonly made: MadeRequests },
): Promise<readonly (readonly number[])[]> {
  const ended = made.begin();
  let exchange: HttpExchange | null = null;
  try {
    const { vectors, usage: reported } = await embedder.embed(texts, signal, (each) => {
      exchange = each;
    });
    const usage = reported ?? estimatedUsage(texts);
    ended({ usage, cost: chargeOf(usage, embedder.prices, () => null), isUnbilled: false });
    return vectors;
  } catch (thrown) {
    const error = toLoupeError(thrown);
    ended({ ...UNKNOWN_USE, isUnbilled: isTurnedDown({ error, exchange, usage: null, hasContent: false }) });
    throw error;
  }
}

/** Returns the price of embedding texts in US dollars, or null when unknown. */
export function embeddingPrice(texts: readonly string[], { prices }: Embedder): number | null {
  return chargeOf(estimatedUsage(texts), prices, () => null)?.usd ?? null;
}

/** Estimates usage. An embedding has no output and no cache. */
function estimatedUsage(texts: readonly string[]): Usage {
  const tokens = texts.reduce((sum, text) => sum + ROUGH_COUNTER.count(text), 0);
  return {
    promptTokens: { value: tokens, source: 'estimated' },
    cacheReadInputTokens: null,
    cacheCreationInputTokens: null,
    cacheCreation: null,
    completionTokens: { value: 0, source: 'reported' },
  };
}
