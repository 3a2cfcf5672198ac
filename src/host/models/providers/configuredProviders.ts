import { type ModelRef, modelKey } from '../../../engine/model/modelRef.js';
import { canonicalJson } from '../../../engine/json.js';
import type { Model } from '../../../engine/model/model.js';
import type { Embedder, KeyUse } from '../../../providers/endpoint.js';
import type { Provider, ProviderSource } from '../registry.js';
import { countsForFree, toolRulesAt } from './presets.js';
import type { Protocol } from './protocols.js';
import { type ModelConfig, type ProtocolId, type ProviderConfig, endpointOf } from './providerConfig.js';
import { rawProvider } from './providerSettings.js';
import { Listeners } from '../../../engine/listeners.js';
import { failure } from '../../../engine/errors.js';

export interface ConfiguredPorts {
  read(): readonly ProviderConfig[];
  readonly embeddings: () => ModelRef | null;
  /** Returns the key of a provider, see `KeyStore.get` and `getQuietly`. */
  readonly key: (provider: ProviderConfig, use: KeyUse) => Promise<string | null>;
  readonly protocols: Readonly<Record<ProtocolId, Protocol>>;
}

interface KnownProvider {
  /** The provider's configuration as text. An equal text means that the provider has not changed. */
  readonly text: string;
  readonly config: ProviderConfig;
  readonly provider: Provider;
}

export class ConfiguredProviders implements ProviderSource {
  readonly #ports: ConfiguredPorts;
  readonly #listeners = new Listeners<[]>();
  readonly onChange = this.#listeners.add;
  #known: readonly KnownProvider[];
  /** Key of the model for embeddings, or null. Cached, because each panel update compares all models with this key. */
  #embeddings: string | null;

  constructor(ports: ConfiguredPorts) {
    this.#ports = ports;
    this.#known = this.#read([]);
    this.#embeddings = embeddingsKey(ports);
  }

  providers(): readonly Provider[] {
    return this.#known.map(({ provider }) => provider);
  }

  configs(): readonly ProviderConfig[] {
    return this.#known.map(({ config }) => config);
  }

  /** Returns the embedder that the settings name, or null. */
  embedder(): Embedder | null {
    const ref = this.#ports.embeddings();
    return ref === null ? null : configuredEmbedder(ref, this.configs(), this.#ports.key);
  }

  ready(): Promise<void> {
    // Resolves at once, because settings need no loading.
    return Promise.resolve();
  }

  /** Reads the settings again. An unchanged provider keeps its object and its client. */
  update(): void {
    const before = this.#known;
    this.#embeddings = embeddingsKey(this.#ports);
    this.#known = this.#read(before);
    const isSame = before.length === this.#known.length && this.#known.every((known, index) => known === before[index]);
    if (!isSame) {
      this.#listeners.call();
    }
  }

  #read(before: readonly KnownProvider[]): readonly KnownProvider[] {
    return this.#ports.read().map((config) => {
      const text = canonicalJson(rawProvider(config));
      return before.find((known) => known.text === text) ?? { text, config, provider: this.#made(config) };
    });
  }

  #made(config: ProviderConfig): Provider {
    return { ...toProvider(config, this.#ports), isForEmbeddings: ({ ref }) => modelKey(ref) === this.#embeddings };
  }
}

function embeddingsKey({ embeddings }: ConfiguredPorts): string | null {
  const named = embeddings();
  return named === null ? null : modelKey(named);
}

function toProvider(config: ProviderConfig, { key, protocols }: ConfiguredPorts): Provider {
  const protocol = protocols[config.protocol];
  const endpoint = endpointOf(config, (use) => key(config, use));
  return {
    id: config.id,
    label: config.label,
    countsTokens: config.countsTokens,
    models: config.models.map((model) => toModel(config, model, protocol)),
    loadClient: () => protocol.loadClient(endpoint),
  };
}

export function toModel(provider: Pick<ProviderConfig, 'id' | 'baseUrl'>, config: ModelConfig, protocol: Protocol): Model {
  const { id, label, maxInputTokens, maxOutputTokens, prices, capabilities, extraBody } = config;
  return {
    ref: { provider: provider.id, model: id },
    label,
    protocol: protocol.protocol,
    maxInputTokens,
    maxOutputTokens,
    prices,
    capabilities: {
      ...protocol.capabilities(id),
      ...toolRulesAt(provider.baseUrl),
      freeCounts: countsForFree(provider.baseUrl),
      ...capabilities,
    },
    extraBody,
  };
}

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
