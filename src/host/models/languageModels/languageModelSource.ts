import { failure, toLoupeError, type LoupeError } from '../../../engine/errors.js';
import type { Clock } from '../../../engine/ports.js';
import type { Capabilities, Model } from '../../../engine/model/model.js';
import type { Provider, ProviderSource } from '../registry.js';
import type { ChatModel, ChatModels } from './chatModel.js';
import { LanguageModelClient, type LanguageModelClientPorts } from './languageModelClient.js';
import { VSCODE_PROVIDER_PREFIX } from './providerIds.js';
import { VSCODE_PROTOCOL } from './wire.js';
import { Listeners } from '../../../engine/listeners.js';

/**
 * Maximum wait of a message for VS Code's list of models, in ms. Reading the list starts the extensions that provide
 * models, which takes a second or two. The limit lets a chat report an error when an extension hangs.
 */
export const READ_TIMEOUT_MS = 10_000;

/**
 * Minimum time between two reads because of an unknown model, in ms. VS Code sends no event when a provider registers
 * late, or again with the same models. But each read asks all extensions, and a panel with an unknown model asks often.
 */
export const MIN_REREAD_INTERVAL_MS = 2_000;

export const LANGUAGE_MODEL_CAPABILITIES: Capabilities = {
  // The most common tokenizer, because VS Code's API does not report the tokenizer of a model.
  counter: 'o200k_base',
  counterIsExact: false,
  countsTokens: true,
  // Counting uses no request: the documentation of `countTokens` says "the model specific tokenizer-logic".
  freeCounts: true,
  // The API does not report the framing of messages.
  framing: { perRequest: 0, perMessage: 0, perTool: 0 },
  // The API does not report which models accept images and tools. A model without support rejects the request.
  images: true,
  imageTokens: null,
  imageLimits: null,
  tools: true,
  // VS Code's API cannot load tools on demand.
  toolsOnDemand: false,
  // OpenAI's rule for tool names. VS Code has no rule, but providers receive the names.
  toolNames: { characters: 'a-zA-Z0-9_-', first: 'a-zA-Z_', maxLength: 64 },
  // VS Code has no rule for schemas either. The limit of tools is VS Code's own.
  toolSchemas: { unionsAtTop: false, references: false, propertyNames: null },
  mostTools: 128,
  callIds: 'any',
  callsNeedDefinitions: false,
  userContentAfterToolResults: true,
  // The API has no part type for reasoning.
  reasoningReplay: 'never',
  cacheKey: false,
  cacheDiagnostics: false,
  // The API reports nothing about caches and accepts no breakpoints.
  cache: { kind: 'unknown' },
};

export interface LanguageModelSourcePorts {
  readonly models: ChatModels;
  readonly clock: Clock;
  readonly logError: (error: LoupeError) => void;
}

/**
 * The models that extensions provide to VS Code, with one provider for each vendor. Reads the models at first use,
 * because reading starts those extensions. Reads them again when VS Code reports a change, when a request finds its
 * model missing, and when a caller waits for an unknown model.
 */
export class LanguageModelSource implements ProviderSource {
  readonly #ports: LanguageModelSourcePorts;
  readonly #listeners = new Listeners<[]>();
  readonly onChange = this.#listeners.add;
  #endOfEvents: () => void = () => undefined;
  #providers: readonly Provider[] = [];
  /** The last list of models as JSON, to detect a change. */
  #known = '[]';
  /** Resolves when the last read has ended or timed out. Null before the first read. */
  #lastReading: Promise<void> | null = null;
  #isReading = false;
  #askedAgain = false;
  /** When the last read ended, in epoch milliseconds. */
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
   * Reads the list again while VS Code reports changes and each read finds a change. The second condition prevents a
   * loop, because a read can cause another change event. Never rejects.
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

  /** Reads the list of models. Returns whether the list has changed. A failed read does not change the list. */
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
    this.#providers = providersOf(models, { clock: this.#ports.clock, onModelGone: this.#again.bind(this) });
    this.#listeners.call();
    return true;
  }
}

function providersOf(models: readonly ChatModel[], ports: LanguageModelClientPorts): Provider[] {
  const vendors = [...new Set(models.map(({ vendor }) => vendor))];
  return vendors.map((vendor) => {
    const byId = new Map<string, ChatModel>();
    for (const model of models) {
      // If an extension lists two models with the same id, uses the first model. The API cannot distinguish them.
      if (model.vendor === vendor && !byId.has(model.id)) {
        byId.set(model.id, model);
      }
    }
    const id = providerId(vendor);
    return {
      id,
      label: `${vendor} (VS Code)`,
      // On, because VS Code's API for counting is meant for local tokenizers. Each extension decides where it counts.
      countsTokens: true,
      models: [...byId.values()].map((model) => modelOf(model, id)),
      loadClient: () => Promise.resolve(new LanguageModelClient(byId, ports)),
    };
  });
}

/** Returns the provider id of a vendor. Escapes `/`, which ends the provider in a model's key, and `%`. */
function providerId(vendor: string): string {
  return VSCODE_PROVIDER_PREFIX + vendor.replaceAll('%', '%25').replaceAll('/', '%2F');
}

function modelOf({ id, name, maxInputTokens }: ChatModel, provider: string): Model {
  return {
    ref: { provider, model: id },
    label: name.trim() === '' ? id : name,
    protocol: VSCODE_PROTOCOL,
    // An extension supplies this number, which may be invalid.
    maxInputTokens: Number.isFinite(maxInputTokens) && maxInputTokens >= 1 ? Math.floor(maxInputTokens) : null,
    maxOutputTokens: null,
    prices: null,
    capabilities: LANGUAGE_MODEL_CAPABILITIES,
    extraBody: {},
  };
}
