import { failure, toLoupeError, type LoupeError } from '../../engine/errors.js';
import type { Clock } from '../../engine/ports.js';
import type { Capabilities, Model } from '../../engine/run/model.js';
import type { Provider, ProviderSource } from '../models.js';
import type { ChatModel, ChatModels } from './chatModel.js';
import { LanguageModelClient, type LanguageModelClientPorts } from './languageModelClient.js';
import { VSCODE_PROVIDER_PREFIX } from './providerIds.js';
import { VSCODE_PROTOCOL } from './wire.js';

/**
 * How long in ms a message waits for a look at VS Code's models. A look starts the extensions that bring
 * models, which takes a second or two; one of them that hangs must not keep a chat from saying what is wrong.
 */
export const LOOK_MS = 10_000;

/**
 * How old in ms the last look is at least when a model that is not known makes for another one. VS Code says nothing
 * when a provider is registered late, or again with the models it had; but each look asks every one of those
 * extensions, and a panel whose model has gone asks for it again and again.
 */
export const LOOK_AGAIN_MS = 2_000;

/** What is taken for every model of VS Code. */
export const LANGUAGE_MODEL_CAPABILITIES: Capabilities = {
  // The API does not tell a model's tokenizer; this one is the commonest of today.
  counter: 'o200k_base',
  counterIsExact: false,
  countsTokens: true,
  // What a provider puts around the messages is its own affair and not told.
  framing: { perRequest: 0, perMessage: 0, perTool: 0 },
  // `LanguageModelDataPart` came after the VS Code that Loupe supports.
  images: false,
  // The API does not tell which models take tools; one that does not says so itself.
  tools: true,
  // VS Code sets no rule; the providers behind it pass names on. This is what a widespread endpoint (OpenAI's) takes.
  toolNames: { characters: 'a-zA-Z0-9_-', maxLength: 64 },
  callsNeedDefinitions: false,
  userContentAfterToolResults: true,
  // The API has no part for reasoning.
  reasoningReplay: 'never',
  cacheBreakpoints: null,
};

export interface LanguageModelSourcePorts {
  readonly models: ChatModels;
  readonly clock: Clock;
  readonly logError: (error: LoupeError) => void;
}

/**
 * The models that extensions bring into VS Code, a provider for each vendor. The first look is taken when someone
 * first asks, because it starts those extensions; others when VS Code says so, when a request finds its model gone,
 * and when someone waits for a model that is not known.
 */
export class LanguageModelSource implements ProviderSource {
  readonly #ports: LanguageModelSourcePorts;
  readonly #listeners = new Set<() => void>();
  #endOfEvents: () => void = () => undefined;
  #providers: readonly Provider[] = [];
  /** What the models are, as text: tells whether a look found something new. */
  #known = '[]';
  /** The end of the last look, or of the patience with it. Null before the first one. */
  #looked: Promise<void> | null = null;
  #isLooking = false;
  #askedAgain = false;
  /** Epoch milliseconds of the end of the last look. */
  #lookedAt = -Infinity;

  constructor(ports: LanguageModelSourcePorts) {
    this.#ports = ports;
  }

  providers(): readonly Provider[] {
    if (this.#looked === null) {
      void this.#start();
    }
    return this.#providers;
  }

  ready(): Promise<void> {
    const isOld = !this.#isLooking && this.#ports.clock.now() - this.#lookedAt >= LOOK_AGAIN_MS;
    return this.#looked === null || isOld ? this.#start() : this.#looked;
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
    if (this.#looked === null) {
      this.#endOfEvents = this.#ports.models.onChange(this.#again.bind(this));
    }
    this.#looked = this.#withPatience(this.#look());
    return this.#looked;
  }

  #again(): void {
    if (this.#isLooking) {
      this.#askedAgain = true;
    } else {
      void this.#start();
    }
  }

  async #withPatience(look: Promise<void>): Promise<void> {
    const awake = new AbortController();
    await Promise.race([look, this.#ports.clock.sleep(LOOK_MS, awake.signal)]);
    awake.abort();
  }

  /**
   * A look makes VS Code ask every vendor and so may itself bring about the event that asks for another one: after
   * the first, looks follow each other only as long as they find something new. Never rejects.
   */
  async #look(): Promise<void> {
    this.#isLooking = true;
    try {
      let isNew = true;
      await this.#lookOnce();
      while (this.#askedAgain && isNew) {
        isNew = await this.#lookOnce();
      }
    } catch (thrown) {
      this.#ports.logError(toLoupeError(thrown));
    } finally {
      this.#isLooking = false;
      this.#lookedAt = this.#ports.clock.now();
    }
  }

  /** Whether it found something new. After a failure what was known stays: a request tells whether it is still there. */
  async #lookOnce(): Promise<boolean> {
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
      // The same model set up twice has one id, and the API has nothing to tell the two apart: the first one counts.
      if (model.vendor === vendor && !byId.has(model.id)) {
        byId.set(model.id, model);
      }
    }
    const id = providerId(vendor);
    return {
      id,
      label: `${vendor} (VS Code)`,
      models: [...byId.values()].map((model) => modelOf(model, id)),
      loadClient: () => Promise.resolve(new LanguageModelClient(byId, ports)),
    };
  });
}

/** Without a slash, which ends the provider in a model's key; different vendors stay different. */
function providerId(vendor: string): string {
  return VSCODE_PROVIDER_PREFIX + vendor.replaceAll('%', '%25').replaceAll('/', '%2F');
}

function modelOf({ id, name, maxInputTokens }: ChatModel, provider: string): Model {
  return {
    ref: { provider, model: id },
    label: name.trim() === '' ? id : name,
    protocol: VSCODE_PROTOCOL,
    // It comes from an extension, which may not know it either.
    maxInputTokens: Number.isInteger(maxInputTokens) && maxInputTokens > 0 ? maxInputTokens : null,
    maxOutputTokens: null,
    prices: null,
    capabilities: LANGUAGE_MODEL_CAPABILITIES,
    extraBody: {},
  };
}
