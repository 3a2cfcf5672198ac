import type { Prices } from '../../engine/model/price.js';
import { type ModelRef, modelKey } from '../../engine/model/modelRef.js';
import { failure } from '../../engine/errors.js';
import type { TokenCounter } from '../../engine/ports.js';
import type { Model, ModelClient } from '../../engine/model/model.js';
import { isSameModel } from '../../engine/run/sameModel.js';
import { isVscodeProvider } from './languageModels/providerIds.js';
import { Loaded } from './loaded.js';
import type { TokenCounters } from './tokens/tokenCounters.js';

/** A provider: its models, and the client for its protocol, which is loaded when a model is first used. */
export interface Provider {
  readonly id: string;
  readonly label: string;
  /** Whether it is asked to count requests, where it can (`Capabilities.countsTokens`): it then gets each draft. */
  readonly countsTokens: boolean;
  readonly models: readonly Model[];
  /** Whether `loupe.embeddings` names this model; missing for providers that are not in the settings. */
  readonly isForEmbeddings?: (model: Model) => boolean;
  loadClient(): Promise<ModelClient>;
}

/** Returns the models for chats. The settings list the model for embeddings only for its price. */
export function chatModels({ models, isForEmbeddings }: Provider): readonly Model[] {
  return models.filter((model) => isForEmbeddings?.(model) !== true);
}

/** A source of providers that come and go: the settings, or VS Code. */
export interface ProviderSource {
  /** The providers known now. A provider whose configuration changed is a new object. */
  providers(): readonly Provider[];
  /** Resolves after the first read, so that no model is reported gone before it. Never rejects. */
  ready(): Promise<void>;
  /** Calls `listener` after each change; returns a function that removes it. */
  onChange(listener: () => void): () => void;
}

/** A source whose providers never change. */
export function fixedSource(providers: readonly Provider[]): ProviderSource {
  return { providers: () => providers, ready: () => Promise.resolve(), onChange: () => () => undefined };
}

/** A model that can be used, with its provider and the client that asks it. */
export interface FoundModel {
  readonly provider: Provider;
  readonly model: Model;
  readonly client: ModelClient;
}

/** All models that can be used now, and their token counters. */
export class ModelRegistry {
  readonly #sources: readonly ProviderSource[];
  readonly #counters: Pick<TokenCounters, 'get'>;
  /** By object: a provider with a new configuration is a new object and gets a new client. The old client is forgotten. */
  readonly #clients = new Loaded<Provider, ModelClient>(new WeakMap());

  constructor(sources: readonly ProviderSource[], counters: Pick<TokenCounters, 'get'>) {
    this.#sources = sources;
    this.#counters = counters;
  }

  /** The providers known now, in the order of their sources. */
  providers(): Provider[] {
    return this.#sources.flatMap((source) => source.providers());
  }

  list(): Model[] {
    return this.providers().flatMap((provider) => provider.models);
  }

  /**
   * The model and its client. For an unknown model, waits until every source has been read once. Rejects with a
   * `modelGone` error that names the model.
   */
  async find(ref: ModelRef): Promise<FoundModel> {
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

  /** Resolves when every source has been read once. */
  async ready(): Promise<void> {
    await Promise.all(this.#sources.map((source) => source.ready()));
  }

  /** The token counter with this id; the rough counter, with its own id, when the counter cannot be loaded. */
  counter(id: string): Promise<TokenCounter> {
    return this.#counters.get(id);
  }

  /** Calls `listener` after each change of the providers; returns a function that removes it. */
  onChange(listener: () => void): () => void {
    const ends = this.#sources.map((source) => source.onChange(listener));
    return () => {
      for (const end of ends) {
        end();
      }
    };
  }

  /** A model that is known now; null for others. */
  listed(ref: ModelRef): Model | null {
    return this.#lookUp(ref)?.model ?? null;
  }

  /** The prices of a model by the id that its provider names it with in replies; null when unknown. */
  pricesOf(provider: string, id: string): Prices | null {
    const models = this.list().filter(({ ref }) => ref.provider === provider);
    return (models.find(({ ref }) => ref.model === id) ?? models.find(({ ref }) => isSameModel(ref.model, id)))?.prices ?? null;
  }

  #remedy({ provider }: ModelRef): string {
    const choose = 'Choose another model';
    if (isVscodeProvider(provider)) {
      return `${choose}, or enable the extension that provides it.`;
    }
    return this.providers().some(({ id }) => id === provider) ? `${choose}.` : `${choose}, or add the provider ${provider} again.`;
  }

  #lookUp(ref: ModelRef): { readonly provider: Provider; readonly model: Model } | null {
    for (const provider of this.providers()) {
      const model = provider.models.find((candidate) => modelKey(candidate.ref) === modelKey(ref));
      if (model !== undefined) {
        return { provider, model };
      }
    }
    return null;
  }
}
