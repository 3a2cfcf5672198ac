import { type ModelRef, modelKey } from '../../../engine/model/modelRef.js';
import { failure } from '../../../engine/errors.js';
import type { Embedder, KeyUse } from '../../../providers/endpoint.js';
import { type ProviderConfig, endpointOf } from './providerConfig.js';

/** Returns the embedder of the settings. Its calls reject if the provider does not exist or has no embeddings. */
export function configuredEmbedder(
  ref: ModelRef,
  providers: readonly ProviderConfig[],
  key: (provider: ProviderConfig, use: KeyUse) => Promise<string | null>,
): Embedder {
  const model = modelKey(ref);
  const config = providers.find(({ id }) => id === ref.provider);
  if (config === undefined) {
    const unknown = failure('embeddings.unknownProvider', { id: ref.provider });
    return { label: ref.provider, ref, prices: null, id: model, embed: () => Promise.reject(unknown) };
  }
  const { label, baseUrl, protocol } = config;
  const prices = config.models.find(({ id }) => id === ref.model)?.prices ?? null;
  const names = { label, ref, prices, id: `${baseUrl} ${model}` };
  if (protocol !== 'openai-compatible') {
    return { ...names, embed: () => Promise.reject(failure('embeddings.otherProtocol', { label })) };
  }
  const endpoint = endpointOf(config, (use) => key(config, use));
  return {
    ...names,
    async embed(texts, signal, exchanged) {
      const { OpenAiCompatibleClient } = await import('../../../providers/openaiCompatible/openAiCompatibleClient.js');
      return new OpenAiCompatibleClient(endpoint).embed(ref.model, texts, signal, exchanged);
    },
  };
}
