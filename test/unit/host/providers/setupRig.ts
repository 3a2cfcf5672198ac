import assert from 'node:assert/strict';
import { modelKey } from '../../../../src/engine/model/modelRef.js';
import { LoupeError } from '../../../../src/engine/errors.js';
import type { Model, StreamPart, WireRequest } from '../../../../src/engine/model/model.js';
import { PROTOCOLS, type Protocol } from '../../../../src/host/models/providers/protocols.js';
import type { ProviderConfig } from '../../../../src/host/models/providers/providerConfig.js';
import type { SetupPorts } from '../../../../src/host/models/providers/setup/answers.js';
import {
  addProvider,
  editModel,
  editProvider,
  removeProvider,
  type SetupResult,
} from '../../../../src/host/models/providers/setup/setupProvider.js';
import type { PriceListEntry } from '../../../../src/providers/priceList/priceList.js';
import type { Endpoint, EndpointClient, ListedModel } from '../../../../src/providers/endpoint.js';
import type { FoundServers } from '../../../../src/providers/local/findLocalServers.js';
import { KeyRig } from '../../../support/host/secrets.js';
import { ScriptedWizard, type Action } from './scriptedWizard.js';
import { failureOf } from '../../../support/failures.js';

export const SMALL: ListedModel = { id: 'small', label: 'Small', maxInputTokens: 8_000, maxOutputTokens: 1_000, otherUse: null };
const BIG: ListedModel = { id: 'big', label: null, maxInputTokens: null, maxOutputTokens: null, otherUse: null };
const PRICES = { input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6 };

/** The parts of a provider's setup: an endpoint that takes one key, settings, secrets and a price list. */
export class SetupRig {
  wanted: string | null = 'the-key';
  listed: readonly ListedModel[] | LoupeError = [SMALL, BIG];
  sendFailure: LoupeError | null = null;
  settings: readonly ProviderConfig[] = [];
  catalog: Readonly<Record<string, PriceListEntry>> = { big: { contextWindow: 200_000, prices: PRICES, note: 'From the list.' } };
  /** The servers found at each look. The last result repeats. */
  local: readonly FoundServers[] = [{ servers: [], missing: [failureOf('protocol', 'Something else answers.')] }];
  readonly calls: string[] = [];
  readonly sent: Model[] = [];
  /** The usage of test messages: model, input tokens and US dollars. */
  readonly used: (readonly [model: string, tokens: number | null, usd: number | null, isUnbilled: boolean])[] = [];
  readonly keyRig = new KeyRig();
  wizard = new ScriptedWizard([]);

  async run(...script: Action[]): Promise<SetupResult | null> {
    return this.#play(script, addProvider);
  }

  async edit(id: string, ...script: Action[]): Promise<SetupResult | null> {
    return this.#play(script, (ports) => editProvider(this.#provider(id), ports));
  }

  async editModel(id: string, modelId: string, ...script: Action[]): Promise<boolean> {
    const provider = this.#provider(id);
    const model = provider.models.find((each) => each.id === modelId);
    assert.ok(model, modelId);
    return this.#play(script, (ports) => editModel({ provider, model }, ports));
  }

  async remove(id: string, ...script: Action[]): Promise<boolean> {
    return this.#play(script, (ports) => removeProvider(this.#provider(id), ports));
  }

  #provider(id: string): ProviderConfig {
    const found = this.settings.find((provider) => provider.id === id);
    assert.ok(found, id);
    return found;
  }

  async #play<T>(script: readonly Action[], operation: (ports: SetupPorts) => Promise<T>): Promise<T> {
    this.wizard = new ScriptedWizard(script);
    const result = await operation(this.#ports());
    assert.equal(this.wizard.left, 0, 'All actions of the script were wanted.');
    return result;
  }

  #ports(): SetupPorts {
    const protocol = (own: Protocol): Protocol => ({ ...own, loadClient: (endpoint) => Promise.resolve(this.#client(endpoint)) });
    return {
      wizard: this.wizard,
      protocols: { anthropic: protocol(PROTOCOLS.anthropic), 'openai-compatible': protocol(PROTOCOLS['openai-compatible']) },
      keys: this.keyRig.keys,
      existing: () => this.settings,
      loadPriceList: () => Promise.resolve((id) => this.catalog[id] ?? null),
      findLocalServers: () => {
        const [found, ...later] = this.local;
        this.local = later.length === 0 ? this.local : later;
        return Promise.resolve(found!);
      },
      recordUsage: (model, { usage, cost, isUnbilled }) => {
        this.used.push([modelKey(model), usage?.promptTokens?.value ?? null, cost?.usd ?? null, isUnbilled]);
        return Promise.resolve();
      },
      save: (provider) => {
        this.settings = [...this.settings.filter(({ id }) => id !== provider.id), provider];
        return Promise.resolve();
      },
      remove: ({ id }) => {
        this.settings = this.settings.filter((provider) => provider.id !== id);
        return Promise.resolve();
      },
    };
  }

  #client(endpoint: Endpoint): EndpointClient {
    const call = async (what: string): Promise<void> => {
      const key = await endpoint.key('user');
      this.calls.push(`${what} ${endpoint.baseUrl} ${key ?? 'without key'}`);
      if (key !== this.wanted) {
        throw failureOf('auth', `${endpoint.label} did not accept the key.`);
      }
    };
    const send = (model: Model): void => {
      if (this.sendFailure !== null) {
        throw this.sendFailure;
      }
      this.sent.push(model);
    };
    return {
      convert: (_model, prompt, params): WireRequest => ({ body: JSON.stringify({ prompt, params }), converterVersion: 'test' }),
      async *stream(model): AsyncGenerator<StreamPart> {
        await call('message');
        send(model);
        const figure = (value: number) => ({ value, source: 'reported' }) as const;
        const usage = {
          promptTokens: figure(12),
          cacheReadInputTokens: figure(0),
          cacheCreationInputTokens: figure(0),
          cacheCreation: null,
          completionTokens: figure(3),
        };
        yield { type: 'text', index: 0, text: 'ready' };
        yield { type: 'end', stopReason: 'end', usage, rawUsage: null, responseId: null };
      },
      countTokens: () => Promise.reject(failureOf('protocol', 'It does not count.')),
      listModels: async () => {
        await call('list');
        if (this.listed instanceof LoupeError) {
          throw this.listed;
        }
        return this.listed;
      },
    };
  }
}
