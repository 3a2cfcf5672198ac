import assert from 'node:assert/strict';
import type { ModelClient } from '../../../src/engine/model/model.js';
import { VSCODE_PROVIDER_PREFIX } from '../../../src/host/models/languageModels/providerIds.js';
import { modelKey, parseModelKey } from '../../../src/engine/model/modelRef.js';
import { fixedSource, ModelRegistry, type Provider, type ProviderSource } from '../../../src/host/models/registry.js';
import { PRACTICE_MODELS, PRACTICE_SMALL, PRACTICE_STANDARD } from '../../../src/providers/practice/models.js';
import { loadTestCounter } from '../../support/counters.js';
import { characters as counter } from '../../support/engine/ports.js';
import { rejection } from '../../support/rejection.js';

const client = {} as ModelClient;
function providerOf(loadClient: () => Promise<ModelClient>): Provider {
  return { id: 'practice', label: 'Practice', countsTokens: false, models: PRACTICE_MODELS, loadClient };
}

/** A source with changing providers. The test decides when it is ready. */
class ChangingSource implements ProviderSource {
  list: readonly Provider[] = [];
  #listener: () => void = () => undefined;
  #resolve: () => void = () => undefined;
  readonly #ready = new Promise<void>((resolve) => {
    this.#resolve = resolve;
  });

  providers(): readonly Provider[] {
    return this.list;
  }

  ready(): Promise<void> {
    return this.#ready;
  }

  onChange(listener: () => void): () => void {
    this.#listener = listener;
    return () => {
      this.#listener = () => undefined;
    };
  }

  change(list: readonly Provider[]): void {
    this.list = list;
    this.#listener();
  }

  looked(): void {
    this.#resolve();
  }
}

const COUNTERS = { get: () => Promise.resolve(counter) };

describe('model keys', () => {
  it('name provider and model, whose name may hold slashes', () => {
    for (const ref of [PRACTICE_STANDARD.ref, { provider: 'a', model: 'b/c:7b' }]) {
      assert.deepEqual(parseModelKey(modelKey(ref)), ref);
    }
  });

  it('need both', () => {
    for (const key of ['', '/', 'a', 'a/', '/b']) {
      assert.equal(parseModelKey(key), null, key);
    }
  });
});

describe('the models', () => {
  it('are found by provider and name', async () => {
    const provider = providerOf(() => Promise.resolve(client));
    const registry = new ModelRegistry([fixedSource([provider])], COUNTERS);
    assert.deepEqual(registry.list(), [...PRACTICE_MODELS]);
    assert.deepEqual(await registry.find(PRACTICE_SMALL.ref), { provider, model: PRACTICE_SMALL, client });
  });

  it('that are gone are named', async () => {
    const registry = new ModelRegistry([], COUNTERS);
    const error = await rejection(registry.find({ provider: 'cloud', model: 'big' }));
    assert.equal(error.kind, 'modelGone');
    assert.equal(error.message, 'cloud/big is no longer available. Choose another model, or add the provider cloud again.');
  });

  it('of VS Code that are gone need their extension: they cannot be added in Loupe', async () => {
    const registry = new ModelRegistry([], COUNTERS);
    const error = await rejection(registry.find({ provider: `${VSCODE_PROVIDER_PREFIX}vendor`, model: 'big' }));
    const remedy = 'Choose another model, or enable the extension that provides this model.';
    assert.equal(error.message, `vscode.vendor/big is no longer available. ${remedy}`);
  });

  it('of a provider that is there are gone without an advice to add it', async () => {
    const registry = new ModelRegistry([fixedSource([providerOf(() => Promise.resolve(client))])], COUNTERS);
    const error = await rejection(registry.find({ provider: 'practice', model: 'big' }));
    assert.equal(error.message, 'practice/big is no longer available. Choose another model.');
  });

  it('are not called gone before every source has had its first look', async () => {
    const source = new ChangingSource();
    const registry = new ModelRegistry([source], COUNTERS);
    const found = registry.find(PRACTICE_SMALL.ref);
    assert.deepEqual(registry.list(), []);
    const provider = providerOf(() => Promise.resolve(client));
    source.change([provider]);
    source.looked();
    assert.deepEqual(await found, { provider, model: PRACTICE_SMALL, client });
  });

  it('that are known do not wait for a source that is still looking', async () => {
    const slow = new ChangingSource();
    const provider = providerOf(() => Promise.resolve(client));
    const registry = new ModelRegistry([slow, fixedSource([provider])], COUNTERS);
    assert.deepEqual(await registry.find(PRACTICE_SMALL.ref), { provider, model: PRACTICE_SMALL, client });
  });

  it('come and go, and who listens is told until it stops', () => {
    const source = new ChangingSource();
    const registry = new ModelRegistry([fixedSource([]), source], COUNTERS);
    let told = 0;
    const end = registry.onChange(() => {
      told += 1;
    });
    source.change([providerOf(() => Promise.resolve(client))]);
    assert.deepEqual([told, registry.list().length], [1, PRACTICE_MODELS.length]);
    end();
    source.change([]);
    assert.deepEqual([told, registry.list()], [1, []]);
  });

  it('get a new client when their provider is a new object, and keep it while it is the same', async () => {
    const source = new ChangingSource();
    let loads = 0;
    const load = (): Promise<ModelClient> => {
      loads += 1;
      return Promise.resolve({} as ModelClient);
    };
    source.list = [providerOf(load)];
    const registry = new ModelRegistry([source], COUNTERS);
    const first = await registry.find(PRACTICE_SMALL.ref);
    assert.equal((await registry.find(PRACTICE_STANDARD.ref)).client, first.client);
    source.change([providerOf(load)]);
    assert.notEqual((await registry.find(PRACTICE_SMALL.ref)).client, first.client);
    assert.equal(loads, 2);
  });

  it('load their client once, when first used', async () => {
    let loads = 0;
    const loadClient = (): Promise<ModelClient> => {
      loads += 1;
      return Promise.resolve(client);
    };
    const registry = new ModelRegistry([fixedSource([providerOf(loadClient)])], COUNTERS);
    registry.list();
    assert.equal(loads, 0);
    await Promise.all([registry.find(PRACTICE_SMALL.ref), registry.find(PRACTICE_STANDARD.ref)]);
    assert.equal(loads, 1);
  });

  it('name a counter that there is', async () => {
    for (const { capabilities } of PRACTICE_MODELS) {
      assert.equal((await loadTestCounter(capabilities.counter)).id, capabilities.counter);
    }
    assert.match((await rejection(loadTestCounter('nonsense'))).message, /no token counter named nonsense/);
  });
});
