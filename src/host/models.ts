import { modelKey, type ModelRef } from '../engine/chat/config.js';
import { LoupeError } from '../engine/errors.js';
import type { TokenCounter } from '../engine/ports.js';
import type { Model, ModelClient } from '../engine/run/model.js';
import { isVscodeProvider } from './languageModels/providerIds.js';

/** A provider: its models, and the client that speaks its protocol, loaded when a model is first used. */
export interface Provider {
  readonly id: string;
  readonly label: string;
  readonly models: readonly Model[];
  loadClient(): Promise<ModelClient>;
}

/** Providers that come and go: those of the settings, those of VS Code. */
export interface ProviderSource {
  /** Those known now. A provider whose configuration changed is a new object. */
  providers(): readonly Provider[];
  /** Resolves after the first look, so that no model is called gone before. Never rejects. */
  ready(): Promise<void>;
  /** Calls `listener` after each change; returns what ends that. */
  onChange(listener: () => void): () => void;
}

/** A source whose providers never change. */
export function fixedSource(providers: readonly Provider[]): ProviderSource {
  return { providers: () => providers, ready: () => Promise.resolve(), onChange: () => () => undefined };
}

/** All models that can be used now, and the token counters they name. */
export class ModelRegistry {
  readonly #sources: readonly ProviderSource[];
  readonly #loadCounter: (id: string) => Promise<TokenCounter>;
  readonly #counters = new Loaded<string, TokenCounter>(new Map());
  /** By object: a provider whose configuration changed is a new one and gets a new client, its old one is forgotten. */
  readonly #clients = new Loaded<Provider, ModelClient>(new WeakMap());

  constructor(sources: readonly ProviderSource[], loadCounter: (id: string) => Promise<TokenCounter>) {
    this.#sources = sources;
    this.#loadCounter = loadCounter;
  }

  /** The providers known now, in the order of their sources. */
  providers(): Provider[] {
    return this.#sources.flatMap((source) => source.providers());
  }

  list(): Model[] {
    return this.providers().flatMap((provider) => provider.models);
  }

  /**
   * The model and its client. A model not known yet is waited for until every source has had its first look. Rejects
   * with a `modelGone` error that names what was looked for.
   */
  async find(ref: ModelRef): Promise<{ readonly model: Model; readonly client: ModelClient }> {
    let found = this.#look(ref);
    if (found === null) {
      await this.ready();
      found = this.#look(ref);
    }
    if (found === null) {
      throw new LoupeError('modelGone', `The model ${modelKey(ref)} is not available. ${this.#remedy(ref)}`);
    }
    const { provider, model } = found;
    return { model, client: await this.#clients.get(provider, () => provider.loadClient()) };
  }

  /** Resolves when every source has had its first look. */
  async ready(): Promise<void> {
    await Promise.all(this.#sources.map((source) => source.ready()));
  }

  /** Loads a counter when it is first needed. */
  counter(id: string): Promise<TokenCounter> {
    return this.#counters.get(id, () => this.#loadCounter(id));
  }

  /** Calls `listener` whenever providers come, go or change; returns what ends that. */
  onChange(listener: () => void): () => void {
    const ends = this.#sources.map((source) => source.onChange(listener));
    return () => {
      for (const end of ends) {
        end();
      }
    };
  }

  #remedy({ provider }: ModelRef): string {
    const choose = 'Choose another one below the message';
    if (isVscodeProvider(provider)) {
      return `${choose}, or enable the extension that brings it into VS Code.`;
    }
    return this.providers().some(({ id }) => id === provider) ? `${choose}.` : `${choose}, or add the provider ${provider} again.`;
  }

  #look(ref: ModelRef): { readonly provider: Provider; readonly model: Model } | null {
    for (const provider of this.providers()) {
      const model = provider.models.find((candidate) => modelKey(candidate.ref) === modelKey(ref));
      if (model !== undefined) {
        return { provider, model };
      }
    }
    return null;
  }
}

/** What `Loaded` keeps its values in. */
interface Store<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
  delete(key: K): boolean;
}

/** What is loaded once, when first asked for; a load that failed is tried again at the next call. */
class Loaded<K, V> {
  readonly #values: Store<K, Promise<V>>;

  constructor(values: Store<K, Promise<V>>) {
    this.#values = values;
  }

  async get(key: K, load: () => Promise<V>): Promise<V> {
    const loading = this.#values.get(key) ?? load();
    this.#values.set(key, loading);
    try {
      return await loading;
    } catch (thrown) {
      this.#values.delete(key);
      throw thrown;
    }
  }
}
