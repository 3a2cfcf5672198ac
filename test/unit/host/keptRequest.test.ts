import assert from 'node:assert/strict';
import type { ModelClient } from '../../../src/engine/model/model.js';
import { BlockFactory } from '../../../src/engine/request/blockFactory.js';
import { promptBlocks } from '../../../src/engine/model/prompt.js';
import type { Request } from '../../../src/engine/request/request.js';
import { toolMemoryOf } from '../../../src/engine/request/toolMemory.js';
import { UNCALIBRATED } from '../../../src/engine/tokens/calibration.js';
import { CountsByProvider } from '../../../src/host/request/compose/backgroundCount.js';
import { KeptRequest, type RequestInputs } from '../../../src/host/request/compose/keptRequest.js';
import { assistant, call, result, results, user } from '../../support/engine/messages.js';
import { characters, sha256 } from '../../support/engine/ports.js';
import { PLAIN } from '../../support/engine/requests.js';

describe('the kept request of a chat', () => {
  const factory = new BlockFactory(characters, sha256);
  const client: ModelClient = {
    convert: () => assert.fail('Nothing is sent.'),
    countTokens: () => assert.fail('Nothing is counted.'),
    stream: () => assert.fail('Nothing is sent.'),
  };
  const config = { maxPromptTokens: null, reservedResponseTokens: 0 };
  const inputsOf = (change: Partial<RequestInputs>): RequestInputs => ({
    ...{ ...PLAIN, config, calibration: UNCALIBRATED, client, isCounted: false },
    ...change,
  });
  const noCounts = (): CountsByProvider => new CountsByProvider({ find: () => null }, () => null);

  /** The block keys of each request. They are composed one after the other. */
  async function keysOf(...inputs: (() => Partial<RequestInputs>)[]): Promise<readonly (readonly string[])[]> {
    const kept = new KeptRequest();
    const keys: string[][] = [];
    for (const input of inputs) {
      const { request } = await kept.of(inputsOf(input()), noCounts(), { factory, keeps: true });
      keys.push(promptBlocks(request.prompt).flatMap(({ key, category }) => (category === 'conversation' ? [key] : [])));
    }
    return keys;
  }

  it('is the same value until an input changes', async () => {
    const kept = new KeptRequest();
    const requestOf = async (change: Partial<RequestInputs>): Promise<Request> =>
      (await kept.of(inputsOf(change), noCounts(), { factory, keeps: true })).request;
    const first = await requestOf({});
    // Equal values in other objects.
    assert.equal(await requestOf({ messages: [user('u', 'Hello')], files: new Map() }), first);
    const changes: readonly Partial<RequestInputs>[] = [
      { messages: [user('u', 'Hello?')] },
      { messages: [user('v', 'Hello')] },
      { files: new Map([['a.ts', 'one']]) },
      { systemPrompt: 'Be brief.' },
      { cacheMode: 'cached' },
      { cacheLifetime: '1h' },
      { cacheKey: 'fork' },
      { config: { ...config, maxPromptTokens: 400 } },
      { calibration: { ...UNCALIBRATED, factor: 2 } },
      { client: { ...client } },
      { isCounted: true },
    ];
    for (const change of changes) {
      const before = await requestOf({});
      const changed = await requestOf(change);
      assert.notEqual(changed, before, JSON.stringify(change));
      assert.equal(await requestOf(change), changed, JSON.stringify(change));
    }
  });

  it('is one for all who ask at once', async () => {
    const kept = new KeptRequest();
    const asked = [1, 2, 3].map(() => kept.of(inputsOf({}), noCounts(), { factory, keeps: true }));
    const requests = (await Promise.all(asked)).map(({ request }) => request);
    assert.equal(new Set(requests).size, 1);
  });

  it('stays when a request for another purpose is composed, which may use it', async () => {
    const kept = new KeptRequest();
    const requestOf = async (change: Partial<RequestInputs>, keeps: boolean): Promise<Request> =>
      (await kept.of(inputsOf(change), noCounts(), { factory, keeps })).request;
    const draft = await requestOf({}, true);
    assert.notEqual(await requestOf({ instruction: 'Summarize.' }, false), draft);
    assert.equal(await requestOf({}, false), draft);
    assert.equal(await requestOf({}, true), draft);
  });

  it('is composed again when its provider has counted it', async () => {
    const kept = new KeptRequest();
    let count: number | null = null;
    const counts = (): CountsByProvider =>
      new CountsByProvider({ find: () => count }, ({ model }) => ({
        model,
        client,
        wire: { body: '', converterVersion: '' },
        hash: 'hash',
      }));
    const model = { ...PLAIN.model, capabilities: { ...PLAIN.model.capabilities, counterIsExact: false } };
    const requestOf = async (): Promise<Request> =>
      (await kept.of(inputsOf({ model, isCounted: true }), counts(), { factory, keeps: true })).request;
    const estimated = await requestOf();
    assert.equal(await requestOf(), estimated);
    count = 1_234;
    const counted = await requestOf();
    assert.equal(counted.size.tokens, 1_234);
    assert.equal(await requestOf(), counted);
  });

  it('is composed again when the earlier response that it names is another', async () => {
    const kept = new KeptRequest();
    const model = { ...PLAIN.model, capabilities: { ...PLAIN.model.capabilities, cacheDiagnostics: true } };
    const named = async (id: string): Promise<unknown> => {
      const inputs = inputsOf({ model, previousResponseId: () => id });
      return (await kept.of(inputs, noCounts(), { factory, keeps: true })).request.params.previousResponseId;
    };
    assert.deepEqual([await named('one'), await named('two')], ['one', 'two']);
  });

  it('is not kept when a message was pinned since, whose calls it forgets', async () => {
    const pinned = new Set<string>();
    const said = [user('u', 'Read'), assistant('a', call('c', {})), results('r', result('c')), assistant('b', 'Read.')];
    const typed = (text: string) => (): Partial<RequestInputs> => ({
      messages: [...said, user('draft', text)],
      toolMemory: toolMemoryOf({ config: { toolMemory: 0 }, pinned }),
    });
    const [before, after] = await keysOf(typed('x'), () => {
      pinned.add('a');
      return typed('xy')();
    });
    assert.deepEqual(before, ['message:u/0', 'message:b/0', 'message:draft/0']);
    assert.deepEqual(after, ['message:u/0', 'message:a/0', 'message:r/0', 'message:b/0', 'message:draft/0']);
  });

  it('is made anew where its newest message is one that the user has left out', async () => {
    const input = (): Partial<RequestInputs> => ({
      messages: [user('u', 'Hello')],
      excluded: { messages: new Map([['u', { turn: 'u', removal: 'later' }]]), calls: new Map() },
    });
    assert.deepEqual(await keysOf(input, input), [[], []]);
  });

  it('is made again where its layout puts something after the newest message', async () => {
    const { layout } = PLAIN;
    const lay: RequestInputs['layout']['lay'] = (groups, context) => {
      const ordered = layout.lay(groups, context);
      return { ...ordered, messages: ordered.messages.toReversed() };
    };
    const said = [user('u', 'Hello'), assistant('a', 'Hi')];
    const typed = (text: string) => (): Partial<RequestInputs> => ({
      messages: [...said, user('draft', text)],
      layout: { ...layout, lay },
    });
    const [before, after] = await keysOf(typed('x'), typed('xy'));
    assert.deepEqual(before, ['message:draft/0', 'message:a/0', 'message:u/0']);
    assert.deepEqual(after, before);
  });
});
