import type { ModelRef } from '../engine/chat/config.js';
import { LoupeError } from '../engine/errors.js';
import type { TokenCounter } from '../engine/ports.js';
import type { Model, ModelClient } from '../engine/run/model.js';

/** A provider: its models, and the client that speaks its protocol, loaded when a model is first used. */
export interface Provider {
  readonly models: readonly Model[];
  loadClient(): Promise<ModelClient>;
}

/** `provider/model`: how a model is named in settings, in the panel and in commands. */
export function modelKey(ref: ModelRef): string {
  return `${ref.provider}/${ref.model}`;
}

/** The model a key names; null when the key has no slash. The model's own name may hold more of them. */
export function parseModelKey(key: string): ModelRef | null {
  const slash = key.indexOf('/');
  return slash <= 0 || slash === key.length - 1 ? null : { provider: key.slice(0, slash), model: key.slice(slash + 1) };
}

/** All models that can be used now, and the token counters they name. */
export class ModelRegistry {
  readonly #providers: readonly Provider[];
  readonly #loadCounter: (id: string) => Promise<TokenCounter>;
  readonly #counters = new Loaded<string, TokenCounter>();
  readonly #clients = new Loaded<Provider, ModelClient>();

  constructor(providers: readonly Provider[], loadCounter: (id: string) => Promise<TokenCounter>) {
    this.#providers = providers;
    this.#loadCounter = loadCounter;
  }

  list(): Model[] {
    return this.#providers.flatMap((provider) => provider.models);
  }

  /** Rejects with a `modelGone` error that names what was looked for. */
  async find(ref: ModelRef): Promise<{ readonly model: Model; readonly client: ModelClient }> {
    for (const provider of this.#providers) {
      const model = provider.models.find((candidate) => modelKey(candidate.ref) === modelKey(ref));
      if (model !== undefined) {
        return { model, client: await this.#clients.get(provider, () => provider.loadClient()) };
      }
    }
    throw new LoupeError('modelGone', `The model ${modelKey(ref)} is not available. Choose another one below the message.`);
  }

  /** Loads a counter when it is first needed. */
  counter(id: string): Promise<TokenCounter> {
    return this.#counters.get(id, () => this.#loadCounter(id));
  }
}

/** What is loaded once, when first asked for; a load that failed is tried again at the next call. */
class Loaded<K, V> {
  readonly #values = new Map<K, Promise<V>>();

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
