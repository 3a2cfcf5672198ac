import assert from 'node:assert/strict';
import { LoupeError } from '../../../src/engine/errors.js';
import type { TokenCounter } from '../../../src/engine/ports.js';
import type { ModelClient } from '../../../src/engine/run/model.js';
import { modelKey, ModelRegistry, parseModelKey } from '../../../src/host/models.js';
import { loadCounter } from '../../../src/host/tokens/counters.js';
import { PRACTICE_MODELS, PRACTICE_SMALL, PRACTICE_STANDARD } from '../../../src/providers/practice/models.js';
import { rejection } from '../../support/rejection.js';

const client = {} as ModelClient;
const counter: TokenCounter = { id: 'characters', count: (text) => text.length };

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
    const registry = new ModelRegistry([{ models: PRACTICE_MODELS, loadClient: () => Promise.resolve(client) }], () => Promise.resolve(counter));
    assert.deepEqual(registry.list(), [...PRACTICE_MODELS]);
    assert.deepEqual(await registry.find(PRACTICE_SMALL.ref), { model: PRACTICE_SMALL, client });
  });

  it('that are gone are named', async () => {
    const registry = new ModelRegistry([], () => Promise.resolve(counter));
    const error = await rejection(registry.find({ provider: 'cloud', model: 'big' }));
    assert.equal(error.kind, 'modelGone');
    assert.match(error.message, /^The model cloud\/big is not available\./);
  });

  it('load their client and counter once, when first used', async () => {
    const loads: string[] = [];
    const loadClient = (): Promise<ModelClient> => {
      loads.push('client');
      return Promise.resolve(client);
    };
    const registry = new ModelRegistry([{ models: PRACTICE_MODELS, loadClient }], (id) => {
      loads.push(id);
      return Promise.resolve(counter);
    });
    registry.list();
    assert.deepEqual(loads, []);
    await Promise.all([registry.find(PRACTICE_SMALL.ref), registry.find(PRACTICE_STANDARD.ref), registry.counter('x'), registry.counter('x')]);
    assert.deepEqual(loads.sort(), ['client', 'x']);
  });

  it('try a load that failed again', async () => {
    let attempts = 0;
    const registry = new ModelRegistry([], () => {
      attempts += 1;
      return attempts === 1 ? Promise.reject(new LoupeError('storage', 'not now')) : Promise.resolve(counter);
    });
    assert.equal((await rejection(registry.counter('x'))).message, 'not now');
    assert.equal(await registry.counter('x'), counter);
  });

  it('name a counter that there is', async () => {
    for (const { capabilities } of PRACTICE_MODELS) {
      assert.equal((await loadCounter(capabilities.counter)).id, capabilities.counter);
    }
    assert.match((await rejection(loadCounter('nonsense'))).message, /no token counter named nonsense/);
  });
});
