import assert from 'node:assert/strict';
import { UNRECORDED } from '../../../src/engine/model/httpExchange.js';
import type { LoupeError } from '../../../src/engine/errors.js';
import type { ChatModel } from '../../../src/host/models/languageModels/chatModel.js';
import {
  LanguageModelSource,
  MIN_REREAD_INTERVAL_MS,
  READ_TIMEOUT_MS,
} from '../../../src/host/models/languageModels/languageModelSource.js';
import { modelKey, parseModelKey } from '../../../src/engine/model/modelRef.js';
import { column, columns } from '../../support/columns.js';
import { ManualClock, settled } from '../../support/engine/ports.js';
import { rejection } from '../../support/rejection.js';
import { FakeModel, FakeModels, streamOf } from './fakes.js';

interface Rig {
  readonly models: FakeModels;
  readonly clock: ManualClock;
  readonly source: LanguageModelSource;
  readonly errors: LoupeError[];
  readonly changes: { count: number };
}

function rig(): Rig {
  const models = new FakeModels();
  const clock = new ManualClock();
  const errors: LoupeError[] = [];
  const changes = { count: 0 };
  const source = new LanguageModelSource({ models, clock, logError: (error) => errors.push(error) });
  source.onChange(() => {
    changes.count += 1;
  });
  return { models, clock, source, errors, changes };
}

function model(vendor: string, id: string, change: Partial<ChatModel>): ChatModel {
  const { name, maxInputTokens, ...rest } = { name: id.toUpperCase(), maxInputTokens: 8_000, ...change };
  const fake = new FakeModel(id);
  const send: ChatModel['send'] = (request, signal) => fake.send(request, signal);
  return { vendor, id, name, maxInputTokens, send, countTokens: (content) => fake.countTokens(content), ...rest };
}

const ECHO = model('acme', 'echo', {});

async function find({ models }: Rig, index: number, found: readonly ChatModel[]): Promise<void> {
  models.looks[index]?.find(found);
  await settled();
}

/** Looks for models once. `models` are the found ones. */
async function found(models: readonly ChatModel[]): Promise<Rig> {
  const all = rig();
  all.source.providers();
  await find(all, 0, models);
  return all;
}

const keys = ({ source }: Rig): string[] => source.providers().flatMap(({ models }) => models.map(({ ref }) => modelKey(ref)));

async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let done = false;
  void promise.then(() => {
    done = true;
  });
  await settled();
  return done;
}

describe('the language models of VS Code as providers', () => {
  it('are not looked for before someone asks, and then once', () => {
    const { models, source } = rig();
    assert.deepEqual([models.looks.length, models.listeners], [0, 0]);
    assert.deepEqual(source.providers(), []);
    source.providers();
    void source.ready();
    assert.deepEqual([models.looks.length, models.listeners], [1, 1]);
  });

  it('are one provider for each vendor', async () => {
    const all = await found([ECHO, model('zeta', 'echo', {}), model('acme', 'family/large', {})]);
    assert.deepEqual(columns(all.source.providers(), 'id', 'label'), [
      ['vscode.acme', 'acme (VS Code)'],
      ['vscode.zeta', 'zeta (VS Code)'],
    ]);
    assert.deepEqual(keys(all), ['vscode.acme/echo', 'vscode.acme/family/large', 'vscode.zeta/echo']);
    assert.equal(all.changes.count, 1);
  });

  it('have what the API tells of them, and no more', async () => {
    const all = await found([
      ECHO,
      model('acme', 'small', { name: ' ', maxInputTokens: 0 }),
      model('acme', 'odd', { maxInputTokens: NaN }),
    ]);
    const [echo, small, odd] = all.source.providers()[0]?.models ?? [];
    assert.deepEqual(echo, {
      ref: { provider: 'vscode.acme', model: 'echo' },
      label: 'ECHO',
      protocol: 'vscode-lm',
      maxInputTokens: 8_000,
      maxOutputTokens: null,
      prices: null,
      capabilities: {
        counter: 'o200k_base',
        counterIsExact: false,
        countsTokens: true,
        framing: { perRequest: 0, perMessage: 0, perTool: 0 },
        images: true,
        imageTokens: null,
        imageLimits: null,
        tools: true,
        toolNames: { characters: 'a-zA-Z0-9_-', first: 'a-zA-Z_', maxLength: 64 },
        toolSchemas: { unionsAtTop: false, references: false, propertyNames: null },
        mostTools: 128,
        callIds: 'any',
        callsNeedDefinitions: false,
        toolsOnDemand: false,
        userContentAfterToolResults: true,
        reasoningReplay: 'never',
        cacheKey: false,
        cacheDiagnostics: false,
        freeCounts: true,
        cache: { kind: 'unknown' },
      },
      extraBody: {},
    });
    assert.deepEqual([small?.label, small?.maxInputTokens, odd?.maxInputTokens], ['small', null, null]);
  });

  it('have keys that name them, whatever their vendor is called', async () => {
    const vendors = ['a/b', 'a%2Fb', 'a b', 'a'];
    const all = await found(vendors.map((vendor) => model(vendor, 'b/c', {})));
    const refs = all.source.providers().flatMap(({ models }) => models.map(({ ref }) => ref));
    assert.equal(new Set(refs.map(modelKey)).size, vendors.length);
    const again = refs.map((ref) => parseModelKey(modelKey(ref)));
    assert.deepEqual(again, refs);
  });

  it('count once when VS Code lists one twice: the first', async () => {
    const first = new FakeModel('echo');
    first.reply = () => streamOf({ type: 'text', text: 'first' });
    const all = await found([first, new FakeModel('echo')]);
    const [provider] = all.source.providers();
    const [listed, ...others] = provider?.models ?? [];
    assert.ok(provider !== undefined && listed !== undefined);
    assert.deepEqual(others, []);
    const client = await provider.loadClient();
    const wire = { body: '{"messages":[],"tools":[],"modelOptions":{}}', converterVersion: 'vscode-lm/1' };
    for await (const part of client.stream(listed, wire, new AbortController().signal, UNRECORDED)) {
      assert.ok(part.type === 'end' || (part.type === 'text' && part.text === 'first'));
    }
    assert.equal(first.sent.length, 1);
  });

  it('are ready after the first look', async () => {
    const all = rig();
    const ready = all.source.ready();
    assert.equal(await isSettled(ready), false);
    await find(all, 0, [ECHO]);
    assert.equal(await isSettled(ready), true);
    assert.deepEqual(keys(all), ['vscode.acme/echo']);
    assert.equal(all.clock.sleeping, 0);
  });

  it('hold up nobody for long when one of their extensions hangs, and appear when it has woken up', async () => {
    const all = rig();
    const ready = all.source.ready();
    await all.clock.pass(READ_TIMEOUT_MS - 1);
    assert.equal(await isSettled(ready), false);
    await all.clock.pass(1);
    assert.equal(await isSettled(ready), true);
    assert.deepEqual(all.source.providers(), []);
    await all.clock.pass(MIN_REREAD_INTERVAL_MS);
    assert.equal(await isSettled(all.source.ready()), true);
    assert.equal(all.models.looks.length, 1);
    await find(all, 0, [ECHO]);
    assert.deepEqual([keys(all), all.changes.count], [['vscode.acme/echo'], 1]);
  });

  it('are looked for again when VS Code says that they changed', async () => {
    const all = await found([ECHO]);
    const [before] = all.source.providers();
    all.models.change();
    await find(all, 1, []);
    assert.deepEqual([keys(all), all.changes.count], [[], 2]);
    all.models.change();
    await find(all, 2, [ECHO]);
    assert.deepEqual([keys(all), all.changes.count], [['vscode.acme/echo'], 3]);
    assert.notEqual(all.source.providers()[0], before);
  });

  it('stay the same objects, without a word, while nothing of them changes', async () => {
    const all = await found([ECHO]);
    const before = all.source.providers();
    all.models.change();
    await find(all, 1, [model('acme', 'echo', {})]);
    assert.equal(all.source.providers(), before);
    all.models.change();
    await find(all, 2, [model('acme', 'echo', { maxInputTokens: 9_000 })]);
    assert.notEqual(all.source.providers(), before);
    assert.equal(all.changes.count, 2);
  });

  it('are looked for once more after a change during a look, but not for ever: a look may cause the change', async () => {
    const all = rig();
    all.source.providers();
    all.models.change();
    all.models.change();
    assert.equal(all.models.looks.length, 1);
    await find(all, 0, []);
    assert.equal(all.models.looks.length, 2);
    all.models.change();
    await find(all, 1, [ECHO]);
    assert.equal(all.models.looks.length, 3);
    all.models.change();
    await find(all, 2, [ECHO]);
    assert.equal(all.models.looks.length, 3);
    all.models.change();
    assert.equal(all.models.looks.length, 4);
  });

  it('are none, and the log says why, when VS Code cannot list them; the next one in need looks again', async () => {
    const all = rig();
    const ready = all.source.ready();
    all.models.looks[0]?.fail(new Error('No main thread.'));
    await ready;
    assert.deepEqual(all.source.providers(), []);
    assert.deepEqual(columns(all.errors, 'kind', 'message'), [['protocol', 'VS Code could not list its language models: No main thread.']]);
    await all.clock.pass(MIN_REREAD_INTERVAL_MS);
    const again = all.source.ready();
    assert.deepEqual([all.models.looks.length, all.models.listeners], [2, 1]);
    await find(all, 1, [ECHO]);
    await again;
    assert.deepEqual(keys(all), ['vscode.acme/echo']);
  });

  it('are looked for again when one is waited for that is not known, but not all the time', async () => {
    const all = await found([]);
    await all.clock.pass(MIN_REREAD_INTERVAL_MS - 1);
    await all.source.ready();
    assert.equal(all.models.looks.length, 1);
    await all.clock.pass(1);
    const ready = all.source.ready();
    assert.equal(await isSettled(ready), false);
    await find(all, 1, [ECHO]);
    await ready;
    assert.deepEqual(keys(all), ['vscode.acme/echo']);
  });

  it('are looked for again when a request finds one of them gone', async () => {
    const echo = new FakeModel('echo');
    echo.reply = () => Promise.reject(Object.assign(new Error('Unknown.'), { code: 'NotFound' }));
    const all = await found([echo]);
    const [provider] = all.source.providers();
    const listed = provider?.models[0];
    assert.ok(provider !== undefined && listed !== undefined);
    const client = await provider.loadClient();
    const wire = { body: '{"messages":[],"tools":[],"modelOptions":{}}', converterVersion: 'vscode-lm/1' };
    await rejection(client.stream(listed, wire, new AbortController().signal, UNRECORDED)[Symbol.asyncIterator]().next());
    assert.equal(all.models.looks.length, 2);
    await find(all, 1, []);
    assert.deepEqual(keys(all), []);
  });

  it('stay when a later look fails', async () => {
    const all = await found([ECHO]);
    all.models.change();
    all.models.looks[1]?.fail('no reason');
    await settled();
    assert.deepEqual([keys(all), all.errors.length], [['vscode.acme/echo'], 1]);
  });

  it('never reject because a listener fails', async () => {
    const all = rig();
    all.source.onChange(() => {
      throw new Error('The panel is gone.');
    });
    const ready = all.source.ready();
    await find(all, 0, [ECHO]);
    await ready;
    assert.deepEqual(column(all.errors, 'kind'), ['internal']);
  });

  it('tell no one who has stopped listening', async () => {
    const all = rig();
    let told = 0;
    const end = all.source.onChange(() => {
      told += 1;
    });
    all.source.providers();
    await find(all, 0, [ECHO]);
    end();
    all.models.change();
    await find(all, 1, []);
    assert.deepEqual([told, all.changes.count], [1, 2]);
    all.source.dispose();
    assert.equal(all.models.listeners, 0);
  });
});
