import { failure, toLoupeError, type LoupeError } from '../../../engine/errors.js';
import type { Clock } from '../../../engine/ports.js';
import type { Capabilities, Model } from '../../../engine/model/model.js';
import type { Provider, ProviderSource } from '../registry.js';
import type { ChatModel, ChatModels } from './chatModel.js';
import { LanguageModelClient, type LanguageModelClientPorts } from './languageModelClient.js';
import { VSCODE_PROVIDER_PREFIX } from './providerIds.js';
import { VSCODE_PROTOCOL } from './wire.js';

/**
 * How long a message waits for VS Code's list of models, in ms. Reading the list starts the extensions that provide
 * models, which takes a second or two. An extension that hangs must not keep a chat from reporting what is wrong.
 */
export const READ_TIMEOUT_MS = 10_000;

/**
 * Minimum age of the last read before an unknown model causes another, in ms. VS Code sends no event when a provider
 * registers late, or again with the same models. But each read asks every such extension, and a panel whose model is
 * gone asks again and again.
 */
export const MIN_REREAD_INTERVAL_MS = 2_000;

/** The assumed capabilities of every model of VS Code. */
export const LANGUAGE_MODEL_CAPABILITIES: Capabilities = {
  // The API does not tell a model's tokenizer; this one is the most common today.
  counter: 'o200k_base',
  counterIsExact: false,
  countsTokens: true,
  // By its documentation `countTokens` uses "the model specific tokenizer-logic": it asks no model.
  freeCounts: true,
  // The API does not tell what a provider adds around the messages.
  framing: { perRequest: 0, perMessage: 0, perTool: 0 },
  // The API does not tell which models take images and tools; one that takes none fails with a message.
  images: true,
  tools: true,
  // The API has nothing like it.
  toolsOnDemand: false,
  // VS Code sets no rule; the providers behind it pass names on. This is the rule of a widespread endpoint (OpenAI's).
  toolNames: { characters: 'a-zA-Z0-9_-', maxLength: 64 },
  callsNeedDefinitions: false,
  userContentAfterToolResults: true,
  // The API has no part for reasoning.
  reasoningReplay: 'never',
  cacheKey: false,
  cacheDiagnostics: false,
  // The API tells nothing about caches, and takes no breakpoints.
  cache: { kind: 'unknown' },
};

export interface LanguageModelSourcePorts {
  readonly models: ChatModels;
  readonly clock: Clock;
  readonly logError: (error: LoupeError) => void;
}

/**
 * The models that extensions bring into VS Code, one provider for each vendor. The first read of the models happens
 * at the first use, because it starts those extensions. Further reads happen when VS Code reports a change, when a
 * request finds its model gone, and when a caller waits for an unknown model.
 */
export class LanguageModelSource implements ProviderSource {
  readonly #ports: LanguageModelSourcePorts;
  readonly #listeners = new Set<() => void>();
  #endOfEvents: () => void = () => undefined;
  #providers: readonly Provider[] = [];
  /** The models as text, to tell whether a read found a change. */
  #known = '[]';
  /** The end of the last read, or of the wait for it. Null before the first one. */
  #lastReading: Promise<void> | null = null;
  #isReading = false;
  #askedAgain = false;
  /** Epoch milliseconds of the end of the last read. */
  #readAt = -Infinity;

  constructor(ports: LanguageModelSourcePorts) {
    this.#ports = ports;
  }

  providers(): readonly Provider[] {
    if (this.#lastReading === null) {
      void this.#start();
    }
    return this.#providers;
  }

  ready(): Promise<void> {
    const isOld = !this.#isReading && this.#ports.clock.now() - this.#readAt >= MIN_REREAD_INTERVAL_MS;
    return this.#lastReading === null || isOld ? this.#start() : this.#lastReading;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  dispose(): void {
    this.#endOfEvents();
    this.#listeners.clear();
  }

  #start(): Promise<void> {
    if (this.#lastReading === null) {
      this.#endOfEvents = this.#ports.models.onChange(this.#again.bind(this));
    }
    this.#lastReading = this.#withTimeout(this.#readModels());
    return this.#lastReading;
  }

  #again(): void {
    if (this.#isReading) {
      this.#askedAgain = true;
    } else {
      void this.#start();
    }
  }

  async #withTimeout(look: Promise<void>): Promise<void> {
    const awake = new AbortController();
    await Promise.race([look, this.#ports.clock.sleep(READ_TIMEOUT_MS, awake.signal)]);
    awake.abort();
  }

  /**
   * Reads again while change events arrive and each read finds something new. A read makes VS Code ask every vendor,
   * and that may cause the next change event. Never rejects.
   */
  async #readModels(): Promise<void> {
    this.#isReading = true;
    try {
      let isNew = true;
      await this.#readOnce();
      while (this.#askedAgain && isNew) {
        isNew = await this.#readOnce();
      }
    } catch (thrown) {
      this.#ports.logError(toLoupeError(thrown));
    } finally {
      this.#isReading = false;
      this.#readAt = this.#ports.clock.now();
    }
  }

  /** Whether the read found a change. A failure keeps the known models: a request will show whether its model is still there. */
  async #readOnce(): Promise<boolean> {
    this.#askedAgain = false;
    let models: readonly ChatModel[];
    try {
      models = await this.#ports.models.select();
    } catch (thrown) {
      const words = thrown instanceof Error ? thrown.message : String(thrown);
      this.#ports.logError(failure('vscode.noList', { words }, { cause: thrown }));
      return false;
    }
    const known = JSON.stringify(models.map(({ vendor, id, name, maxInputTokens }) => [vendor, id, name, maxInputTokens]));
    if (known === this.#known) {
      return false;
    }
    this.#known = known;
    this.#providers = providersOf(models, { clock: this.#ports.clock, gone: this.#again.bind(this) });
    for (const listener of this.#listeners) {
      listener();
    }
    return true;
  }
}

function providersOf(models: readonly ChatModel[], ports: LanguageModelClientPorts): Provider[] {
  const vendors = [...new Set(models.map(({ vendor }) => vendor))];
  return vendors.map((vendor) => {
    const byId = new Map<string, ChatModel>();
    for (const model of models) {
      // A model that is set up twice has one id, and the API offers nothing to tell the two apart: the first is used.
      if (model.vendor === vendor && !byId.has(model.id)) {
        byId.set(model.id, model);
      }
    }
    const id = providerId(vendor);
    return {
      id,
      label: `${vendor} (VS Code)`,
      // VS Code's API for counting is made for tokenizers, but where the extension counts is its own affair.
      countsTokens: true,
      models: [...byId.values()].map((model) => modelOf(model, id)),
      loadClient: () => Promise.resolve(new LanguageModelClient(byId, ports)),
    };
  });
}

/** Escapes slashes, since a slash ends the provider in a model's key. Different vendors keep different ids. */
function providerId(vendor: string): string {
  return VSCODE_PROVIDER_PREFIX + vendor.replaceAll('%', '%25').replaceAll('/', '%2F');
}

function modelOf({ id, name, maxInputTokens }: ChatModel, provider: string): Model {
  return {
    ref: { provider, model: id },
    label: name.trim() === '' ? id : name,
    protocol: VSCODE_PROTOCOL,
    // The number comes from an extension and may be invalid.
    maxInputTokens: Number.isFinite(maxInputTokens) && maxInputTokens >= 1 ? Math.floor(maxInputTokens) : null,
    maxOutputTokens: null,
    prices: null,
    capabilities: LANGUAGE_MODEL_CAPABILITIES,
    extraBody: {},
  };
}
