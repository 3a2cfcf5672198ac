import { type ModelRef, modelKey } from '../engine/chat/config.js';
import { failure } from '../engine/errors.js';
import type { TokenCounter } from '../engine/ports.js';
import type { Model, ModelClient } from '../engine/run/model.js';
import { isVscodeProvider } from './languageModels/providerIds.js';
import { Loaded } from './loaded.js';
import type { TokenCounters } from './tokens/tokenCounters.js';

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
  readonly #counters: Pick<TokenCounters, 'get'>;
  /** By object: a provider whose configuration changed is a new one and gets a new client, its old one is forgotten. */
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
      throw failure('model.notAvailable', { key: modelKey(ref), remedy: this.#remedy(ref) });
    }
    const { provider, model } = found;
    return { model, client: await this.#clients.get(provider, () => provider.loadClient()) };
  }

  /** Resolves when every source has had its first look. */
  async ready(): Promise<void> {
    await Promise.all(this.#sources.map((source) => source.ready()));
  }

  /** A token counter; the rough one, with its own id, while this one cannot be loaded. */
  counter(id: string): Promise<TokenCounter> {
    return this.#counters.get(id);
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
