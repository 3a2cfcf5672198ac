import assert from 'node:assert/strict';
import type { ModelClient } from '../../../src/engine/model/model.js';
import { BlockFactory } from '../../../src/engine/request/blockFactory.js';
import { promptBlocks } from '../../../src/engine/model/prompt.js';
import type { Request } from '../../../src/engine/request/request.js';
import { toolMemoryOf } from '../../../src/engine/request/toolMemory.js';
import { UNCALIBRATED } from '../../../src/engine/tokens/calibration.js';
import { type Composition, compose, type FindCount, withKnownNewest } from '../../../src/engine/next/compose.js';
import { changedInputs, type RequestInputs } from '../../../src/engine/next/inputs.js';
import { type CatalogItem, EMPTY_CATALOG } from '../../../src/engine/context/catalogItem.js';
import { assistant, call, result, results, user } from '../../support/engine/messages.js';
import { characters, sha256 } from '../../support/engine/ports.js';
import { PLAIN } from '../../support/engine/requests.js';
import { NO_REPOSITORY } from '../../../src/engine/repository/repositoryTexts.js';

describe('the kept request of a chat', () => {
  const factory = new BlockFactory(characters, sha256);
  const client: ModelClient = {
    convert: () => ({ body: '', converterVersion: '' }),
    countTokens: () => assert.fail('Nothing is counted.'),
    stream: () => assert.fail('Nothing is sent.'),
  };
  const facts: RequestInputs['facts'] = {
    ...{ counting: null, isLimitLearned: false, isLimitAssumed: false, messages: 1, pinned: new Set(), isPartial: false, isLoaded: true },
    workspace: [],
    agent: { profile: null, name: null, missing: null },
    context: {
      ...{ files: new Map(), standing: [], picked: [], tools: [], resolved: [], catalog: EMPTY_CATALOG, isRestricted: false, remarks: [] },
      repository: { texts: NO_REPOSITORY, missing: new Map(), links: new Map() },
      selection: { always: [], onDemand: [], picked: [], forFiles: [], absent: [] },
    },
  };
  const config = { maxPromptTokens: null, reservedResponseTokens: 0 };
  const inputsOf = (change: Partial<RequestInputs>): RequestInputs => ({
    ...{ ...PLAIN, config, calibration: UNCALIBRATED, client, factory, images: new Map(), facts, isCounted: false },
    ...change,
  });
  const toolItem = (path: string): CatalogItem => {
    const [serverName = '', name = ''] = path.split('/');
    const known = { source: serverName, description: '', include: 'always', applies: null, offBy: null, text: '', problem: null } as const;
    return { type: 'tool', name, serverName, ...known, priority: 0, remarks: [], copies: [] };
  };
  /** The inputs of a request that offers these tools: `server/tool`. */
  const offering = (names: readonly string[]): Partial<RequestInputs> => {
    const keys = names.map((name) => `tool:${name}`);
    const catalog = new Map(keys.map((key) => [key, toolItem(key.slice('tool:'.length))]));
    const definition = { type: 'toolDefinition', name: 'echo', description: '', schema: {}, isRetired: false } as const;
    return { tools: keys.map((key) => ({ key, definition })), facts: { ...facts, context: { ...facts.context, catalog } } };
  };
  /** Composes requests one after the other, each from the last one. */
  class Kept {
    last: Composition | null = null;

    of(change: Partial<RequestInputs>, find: FindCount): Request {
      this.last = compose(withKnownNewest(inputsOf(change), this.last), this.last, find);
      return this.last.request;
    }
  }
  const noCounts = (): null => null;

  /** The block keys of each request. They are composed one after the other. */
  function keysOf(...inputs: (() => Partial<RequestInputs>)[]): readonly (readonly string[])[] {
    const kept = new Kept();
    return inputs.map((input) => {
      const { prompt } = kept.of(input(), noCounts);
      return promptBlocks(prompt).flatMap(({ key, category }) => (category === 'conversation' ? [key] : []));
    });
  }

  it('is the same value until an input changes', () => {
    const kept = new Kept();
    const requestOf = (change: Partial<RequestInputs>): Request => kept.of(change, noCounts);
    const first = requestOf({});
    // Equal values in other objects.
    assert.equal(requestOf({ messages: [user('u', 'Hello')], files: new Map() }), first);
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
      const before = requestOf({});
      const changed = requestOf(change);
      assert.notEqual(changed, before, JSON.stringify(change));
      assert.equal(requestOf(change), changed, JSON.stringify(change));
    }
  });

  it('shows the facts of now while its content is the same', () => {
    const first = compose(inputsOf({}), null, noCounts);
    const now = compose(inputsOf({ facts: { ...facts, messages: 7 } }), first, noCounts);
    assert.equal(now.request, first.request);
    assert.equal(now.inputs.facts.messages, 7);
  });

  it('names the inputs from outside the chat that changed', () => {
    const before = { files: new Map([['a.ts', 'one']]), ...offering(['test/echo']) };
    const changed = (change: Partial<RequestInputs>): readonly string[] =>
      changedInputs(inputsOf(before), inputsOf({ ...before, ...change }));
    const tools = offering(['test/echo', 'test/list']);
    const other = { ...PLAIN.model, ref: { provider: 'other', model: 'other' } };
    assert.deepEqual(
      [{}, { files: new Map([['b.ts', 'one']]) }, tools, { model: other }, { messages: [], systemPrompt: 'Be brief.' }].map(changed),
      [[], ['a.ts', 'b.ts'], ['the tools'], ['the model'], []],
    );
  });

  it('does not name the tools of a server that had not started yet, only later changes of them', () => {
    const [none, one, two] = [offering([]), offering(['test/echo']), offering(['test/echo', 'test/list'])];
    const named = (last: Partial<RequestInputs>, now: Partial<RequestInputs>): readonly string[] =>
      changedInputs(inputsOf(last), inputsOf(now));
    const more = [named(none, one), named(one, offering(['test/echo', 'other/find']))];
    assert.deepEqual([...more, named(one, two), named(one, none)], [[], [], ['the tools'], ['the tools']]);
  });

  it('is composed again when its provider has counted it', () => {
    const kept = new Kept();
    let count: number | null = null;
    const model = { ...PLAIN.model, capabilities: { ...PLAIN.model.capabilities, counterIsExact: false } };
    const requestOf = (): Request => kept.of({ model, isCounted: true }, () => count);
    const estimated = requestOf();
    assert.equal(requestOf(), estimated);
    count = 1_234;
    const counted = requestOf();
    assert.equal(counted.size.tokens, 1_234);
    assert.equal(requestOf(), counted);
  });

  it('is composed again when the earlier response that it names is another', () => {
    const kept = new Kept();
    const model = { ...PLAIN.model, capabilities: { ...PLAIN.model.capabilities, cacheDiagnostics: true } };
    const named = (id: string): unknown => kept.of({ model, previousResponseId: () => id }, noCounts).params.previousResponseId;
    assert.deepEqual([named('one'), named('two')], ['one', 'two']);
  });

  it('is not kept when a message was pinned since, whose calls it forgets', () => {
    const pinned = new Set<string>();
    const said = [user('u', 'Read'), assistant('a', call('c', {})), results('r', result('c')), assistant('b', 'Read.')];
    const typed = (text: string) => (): Partial<RequestInputs> => ({
      messages: [...said, user('draft', text)],
      toolMemory: toolMemoryOf({ config: { toolMemory: 0 }, pinned }),
    });
    const [before, after] = keysOf(typed('x'), () => {
      pinned.add('a');
      return typed('xy')();
    });
    assert.deepEqual(before, ['message:u/0', 'message:b/0', 'message:draft/0']);
    assert.deepEqual(after, ['message:u/0', 'message:a/0', 'message:r/0', 'message:b/0', 'message:draft/0']);
  });

  it('is made anew where its newest message is one that the user has left out', () => {
    const input = (): Partial<RequestInputs> => ({
      messages: [user('u', 'Hello')],
      excluded: { messages: new Map([['u', { turn: 'u', removal: 'later' }]]), calls: new Map() },
    });
    assert.deepEqual(keysOf(input, input), [[], []]);
  });

  it('is made again where its layout puts something after the newest message', () => {
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
    const [before, after] = keysOf(typed('x'), typed('xy'));
    assert.deepEqual(before, ['message:draft/0', 'message:a/0', 'message:u/0']);
    assert.deepEqual(after, before);
  });
});
