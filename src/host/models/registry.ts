import type { Prices } from '../../engine/model/price.js';
import { isSameRef, type ModelRef, modelKey } from '../../engine/model/modelRef.js';
import { failure } from '../../engine/errors.js';
import type { TokenCounter } from '../../engine/ports.js';
import type { Model, ModelClient } from '../../engine/model/model.js';
import { isSameModel } from '../../engine/run/sameModel.js';
import { isVscodeProvider } from './languageModels/providerIds.js';
import { LoadCache } from './loaded.js';
import type { TokenCounters } from './tokens/counters.js';

/** A provider with its models and the client for its protocol. The client is loaded at its first use. */
export interface Provider {
  readonly id: string;
  readonly label: string;
  /** Whether Loupe asks the provider to count the tokens of each draft, if possible (`Capabilities.countsTokens`). */
  readonly countsTokens: boolean;
  readonly models: readonly Model[];
  /** Whether the setting `loupe.embeddings` names this model. Undefined for providers outside the settings. */
  readonly isForEmbeddings?: (model: Model) => boolean;
  loadClient(): Promise<ModelClient>;
}

/** Returns the models for chats. Excludes the model for embeddings, which has an entry only because of its price. */
export function chatModels({ models, isForEmbeddings }: Provider): readonly Model[] {
  return models.filter((model) => isForEmbeddings?.(model) !== true);
}

/** A source of providers, which can change: the settings or VS Code. */
export interface ProviderSource {
  /** Returns the providers of the last read. A provider with a changed configuration is a new object. */
  providers(): readonly Provider[];
  /** Resolves after the first read of the models. Until then, a missing model may exist. Never rejects. */
  ready(): Promise<void>;
  /** Calls `listener` after each change. Returns a function that removes the listener. */
  onChange(listener: () => void): () => void;
}

export function fixedSource(providers: readonly Provider[]): ProviderSource {
  return { providers: () => providers, ready: () => Promise.resolve(), onChange: () => () => undefined };
}

export class ModelRegistry {
  readonly #sources: readonly ProviderSource[];
  readonly #counters: Pick<TokenCounters, 'get'>;
  /** The client of each provider. A changed provider is a new object with a new client, and its old client closes. */
  readonly #clients = new LoadCache<Provider, ModelClient>(new WeakMap());

  constructor(sources: readonly ProviderSource[], counters: Pick<TokenCounters, 'get'>) {
    this.#sources = sources;
    this.#counters = counters;
  }

  providers(): Provider[] {
    return this.#sources.flatMap((source) => source.providers());
  }

  list(): Model[] {
    return this.providers().flatMap((provider) => provider.models);
  }

  /**
   * Returns the model and its client. Waits for all sources before it treats a model as unknown. Rejects with
   * `modelGone` for an unknown model.
   */
  async find(ref: ModelRef): Promise<{ readonly provider: Provider; readonly model: Model; readonly client: ModelClient }> {
    let found = this.#lookUp(ref);
    if (found === null) {
      await this.ready();
      found = this.#lookUp(ref);
    }
    if (found === null) {
      throw failure('model.notAvailable', { key: modelKey(ref), remedy: this.#remedy(ref) });
    }
    const { provider, model } = found;
    return { provider, model, client: await this.#clients.get(provider, () => provider.loadClient()) };
  }

  async ready(): Promise<void> {
    await Promise.all(this.#sources.map((source) => source.ready()));
  }

  /** Returns the token counter with this id. If loading fails, returns the rough counter, which has another id. */
  counter(id: string): Promise<TokenCounter> {
    return this.#counters.get(id);
  }

  /** Calls `listener` after each change of the providers. Returns a function that removes the listener. */
  onChange(listener: () => void): () => void {
    const ends = this.#sources.map((source) => source.onChange(listener));
    return () => {
      for (const end of ends) {
        end();
      }
    };
  }

  listed(ref: ModelRef): Model | null {
    return this.#lookUp(ref)?.model ?? null;
  }

  /** Returns the label of a provider. Its id if the provider was removed, because its limits and usage remain. */
  providerLabel(id: string): string {
    return this.providers().find((provider) => provider.id === id)?.label ?? id;
  }

  /** Returns the prices for the model id in a provider's reply. Null when unknown. */
  pricesOf(provider: string, id: string): Prices | null {
    const models = this.list().filter(({ ref }) => ref.provider === provider);
    return (models.find(({ ref }) => ref.model === id) ?? models.find(({ ref }) => isSameModel(ref.model, id)))?.prices ?? null;
  }

  #remedy({ provider }: ModelRef): string {
    const choose = 'Choose another model';
    if (isVscodeProvider(provider)) {
      return `${choose}, or enable the extension that provides this model.`;
    }
    return this.providers().some(({ id }) => id === provider) ? `${choose}.` : `${choose}, or add the provider ${provider} again.`;
  }

  #lookUp(ref: ModelRef): { readonly provider: Provider; readonly model: Model } | null {
    for (const provider of this.providers()) {
      const model = provider.models.find((candidate) => isSameRef(candidate.ref, ref));
      if (model !== undefined) {
        return { provider, model };
      }
    }
    return null;
  }
}
