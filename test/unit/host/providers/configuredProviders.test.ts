import assert from 'node:assert/strict';
import type { ModelRef } from '../../../../src/engine/model/modelRef.js';
import { defaultConfig } from '../../../../src/engine/chat/settings/configValues.js';
import { settingRows } from '../../../../src/host/panel/shell/header.js';
import { PRACTICE_STANDARD } from '../../../../src/providers/practice/models.js';
import { chatModels } from '../../../../src/host/models/registry.js';
import { ConfiguredProviders } from '../../../../src/host/models/providers/configuredProviders.js';
import { modelMenu } from '../../../../src/host/models/providers/modelMenu.js';
import { parseProviders } from '../../../../src/host/models/providers/parseProviders.js';
import { PROTOCOLS } from '../../../../src/host/models/providers/protocols.js';
import type { ProviderConfig } from '../../../../src/host/models/providers/providerConfig.js';
import {
  removeProvider,
  saveProvider,
  setCountsTokens,
  type SettingsFile,
} from '../../../../src/host/models/providers/providerSettings.js';
import type { Endpoint, EndpointClient } from '../../../../src/providers/endpoint.js';
import { column, columns } from '../../../support/columns.js';
import { rejection } from '../../../support/rejection.js';

const cloud = (members: object): unknown => ({ id: 'cloud', protocol: 'anthropic', baseUrl: 'https://example.com', ...members });
const MINE = { id: 'mine', protocol: 'openai-compatible', baseUrl: 'http://127.0.0.1:1/v1', models: [{ id: 'm' }] };
const read = (value: unknown): readonly ProviderConfig[] => parseProviders(value, 'p').providers;

describe('the providers of the settings', () => {
  let settings: unknown;
  let endpoints: Endpoint[];
  let source: ConfiguredProviders;
  let changes: number;

  beforeEach(() => {
    settings = [cloud({ models: [{ id: 'big', capabilities: { images: false } }] }), MINE];
    endpoints = [];
    changes = 0;
    const client = {} as EndpointClient;
    const protocol = PROTOCOLS.anthropic;
    const loadClient = (endpoint: Endpoint): Promise<EndpointClient> => {
      endpoints.push(endpoint);
      return Promise.resolve(client);
    };
    source = new ConfiguredProviders({
      read: () => read(settings),
      embeddings: () => null,
      key: ({ id }) => Promise.resolve(`key of ${id}`),
      protocols: { anthropic: { ...protocol, loadClient }, 'openai-compatible': { ...PROTOCOLS['openai-compatible'], loadClient } },
    });
    source.onChange(() => {
      changes += 1;
    });
  });

  it('are there from the start, with models that have what the protocol can and the settings change', () => {
    const [first, second] = source.providers();
    assert.ok(first && second);
    assert.deepEqual([first.id, first.label, second.id], ['cloud', 'cloud', 'mine']);
    assert.deepEqual(first.models[0]?.capabilities, { ...PROTOCOLS.anthropic.capabilities('big'), images: false });
    assert.deepEqual(first.models[0].ref, { provider: 'cloud', model: 'big' });
    assert.deepEqual(
      [first.models[0].protocol, second.models[0]?.protocol],
      [PROTOCOLS.anthropic.protocol, PROTOCOLS['openai-compatible'].protocol],
    );
  });

  it('have ids of calls with nine letters and digits at the address of Mistral, unless they say otherwise', () => {
    const models = [{ id: 'a' }, { id: 'b', capabilities: { callIds: 'any' } }];
    settings = [
      { ...MINE, baseUrl: 'https://api.mistral.ai/v1', models },
      { ...MINE, id: 'other', models: [{ id: 'a' }] },
    ];
    source.update();
    const ids = source.providers().map((provider) => provider.models.map(({ capabilities }) => capabilities.callIds));
    assert.deepEqual(ids, [['nine', 'any'], ['any']]);
  });

  it('count for free at the address of Anthropic, also where a model was written by hand, unless it says otherwise', () => {
    const models = [{ id: 'old' }, { id: 'billed', capabilities: { freeCounts: false } }];
    settings = [cloud({ baseUrl: 'https://api.anthropic.com', models }), { ...MINE, id: 'other', models }];
    source.update();
    const free = source.providers().map((provider) => provider.models.map(({ capabilities }) => capabilities.freeCounts));
    assert.deepEqual(free, [
      [true, false],
      [false, false],
    ]);
    assert.equal(source.providers()[0]?.models[0]?.capabilities.toolsOnDemand, false);
  });

  it('are reached at their address, with the key as it is at each request', async () => {
    settings = [cloud({ headers: { 'x-team': 'maps' }, silenceSeconds: 9 })];
    source.update();
    await source.providers()[0]?.loadClient();
    const [endpoint] = endpoints;
    assert.deepEqual([endpoint?.baseUrl, endpoint?.headers, endpoint?.silenceMs], ['https://example.com', { 'x-team': 'maps' }, 9_000]);
    assert.equal(await endpoint?.key('user'), 'key of cloud');
  });

  it('are new objects only where something changed', () => {
    const [first, second] = source.providers();
    settings = [cloud({ models: [{ id: 'big', maxInputTokens: 5, capabilities: { images: false } }] }), MINE];
    source.update();
    const [changed, same] = source.providers();
    assert.notEqual(changed, first);
    assert.equal(same, second);
    assert.equal(changes, 1);
  });

  it('tell nobody when nothing of them changed', () => {
    settings = structuredClone(settings);
    source.update();
    assert.equal(changes, 0);
    settings = [MINE];
    source.update();
    assert.deepEqual([changes, source.configs().map(({ id }) => id)], [1, ['mine']]);
  });

  it('change order, and that is told too', () => {
    settings = [MINE, cloud({})];
    source.update();
    assert.deepEqual([changes, source.providers().map(({ id }) => id)], [1, ['mine', 'cloud']]);
  });
});

describe('writing providers into the settings', () => {
  class File implements SettingsFile {
    value: unknown;
    failing = false;
    constructor(value: unknown) {
      this.value = value;
    }
    read(): unknown {
      return this.value;
    }
    write(value: readonly unknown[] | undefined): Promise<void> {
      if (this.failing) {
        return Promise.reject(new Error('settings.json has errors'));
      }
      this.value = value;
      return Promise.resolve();
    }
  }
  const [provider] = read([MINE]);

  it('adds it at the end, or in place of the one with its id; what is not valid stays as it is', async () => {
    assert.ok(provider);
    const file = new File(undefined);
    await saveProvider(provider, file);
    assert.deepEqual(read(file.value), [provider]);
    file.value = [7, cloud({}), { id: 'mine', nonsense: true }, { id: 'bad' }];
    await saveProvider(provider, file);
    assert.deepEqual((file.value as unknown[]).toSpliced(2, 1), [7, cloud({}), { id: 'bad' }]);
    assert.deepEqual(read((file.value as unknown[]).slice(2, 3)), [provider]);
  });

  it('takes one out, and the setting with the last one', async () => {
    const file = new File([7, { id: 'mine' }]);
    await removeProvider('mine', file);
    assert.deepEqual(file.value, [7]);
    file.value = [{ id: 'mine' }];
    await removeProvider('mine', file);
    assert.equal(file.value, undefined);
  });

  it('turns the count of a provider on and off, and leaves all else of its entry, also what is not valid', async () => {
    const mine = { ...MINE, nonsense: true };
    const file = new File([7, cloud({}), mine]);
    await setCountsTokens('mine', true, file);
    assert.deepEqual(file.value, [7, cloud({}), { ...mine, countsTokens: true }]);
    assert.deepEqual(columns(read(file.value), 'id', 'countsTokens'), [
      ['cloud', false],
      ['mine', true],
    ]);
    await setCountsTokens('mine', false, file);
    assert.deepEqual(file.value, [7, cloud({}), mine]);
    assert.equal((await rejection(setCountsTokens('other', true, file))).code, 'setup.unknownProvider');
  });

  it('touches nothing that is no list, and says when VS Code cannot write', async () => {
    assert.ok(provider);
    const odd = new File({ mine: {} });
    assert.equal((await rejection(saveProvider(provider, odd))).kind, 'invalidInput');
    assert.deepEqual(odd.value, { mine: {} });
    const broken = new File([]);
    broken.failing = true;
    const error = await rejection(saveProvider(provider, broken));
    assert.deepEqual([error.kind, error.message], ['storage', 'VS Code could not save your settings. Nothing was changed.']);
  });
});

describe('the choice of models', () => {
  function configured(settings: unknown, embeddings: ModelRef | null): ConfiguredProviders {
    const key = (): Promise<null> => Promise.resolve(null);
    return new ConfiguredProviders({ read: () => read(settings), embeddings: () => embeddings, key, protocols: PROTOCOLS });
  }

  it('groups them by provider, with window and price, marks the one in use and offers to add a provider', () => {
    const settings = [
      cloud({ label: 'Cloud', models: [{ id: 'big', maxInputTokens: 128_000, prices: { input: 3, output: 15 } }, { id: 'odd' }] }),
      { ...MINE, models: [] },
    ];
    const source = configured(settings, null);
    const limits = new Map([['cloud/big', '5 of 10 requests left']]);
    const lines = modelMenu(source.providers(), { here: 'cloud/odd', inNewChats: 'cloud/big', limits, prices: new Map() }).map((line) => [
      line.type,
      line.label,
      line.type === 'model' ? line.description : '',
      line.type === 'model' ? line.detail : null,
      line.type === 'model' && line.isInUse,
    ]);
    assert.deepEqual(lines, [
      ['provider', 'Cloud', '', null, false],
      ['model', 'big', '128,000 tokens · $3.00 in, $15.00 out per million', 'default for new chats · 5 of 10 requests left', false],
      ['model', 'odd', 'context size unknown · price unknown', 'in use', true],
      ['provider', '', '', null, false],
      ['add', '$(add) Add a provider…', '', null, false],
    ]);
  });

  it('has none for embeddings, which the settings may list for its price: neither the menu nor the settings of a chat', () => {
    const models = [{ id: 'small' }, { id: 'bge-m3', prices: { input: 0.01, output: 0 } }];
    const providers = configured([{ ...MINE, models }], { provider: 'mine', model: 'bge-m3' }).providers();
    const menu = modelMenu(providers, { here: '', inNewChats: '', limits: new Map(), prices: new Map() });
    const listed = menu.flatMap((line) => (line.type === 'model' ? [line.label] : []));
    assert.deepEqual(listed, ['small']);
    const config = defaultConfig(PRACTICE_STANDARD.ref);
    const rows = JSON.stringify(settingRows(config, config, { modelLimit: null, providers }));
    assert.deepEqual([rows.includes('mine/small'), rows.includes('bge-m3')], [true, false]);
    assert.equal(providers[0]?.models.length, 2, 'it still has its price');
  });

  it('reads the model for embeddings when the settings change, not for each model: the panel asks all the time', () => {
    let embeddings: ModelRef | null = { provider: 'mine', model: 'b' };
    let reads = 0;
    const source = new ConfiguredProviders({
      read: () => read([{ ...MINE, models: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] }]),
      embeddings: () => {
        reads += 1;
        return embeddings;
      },
      key: () => Promise.resolve(null),
      protocols: PROTOCOLS,
    });
    const offered = (): string[] => source.providers().flatMap((provider) => column(chatModels(provider), 'label'));
    assert.deepEqual([offered(), offered(), reads], [['a', 'c'], ['a', 'c'], 1]);
    embeddings = null;
    source.update();
    assert.deepEqual([offered(), reads], [['a', 'b', 'c'], 2]);
  });
});
