import assert from 'node:assert/strict';
import type { SentMessage } from '../../src/engine/chat/message/message.js';
import type { OfferedTool } from '../../src/engine/request/gather.js';
import { LAYOUTS } from '../../src/engine/request/layout/layouts.js';
import { UNRECORDED } from '../../src/engine/model/httpExchange.js';
import type { Model } from '../../src/engine/model/model.js';
import { FIND_TOOLS } from '../../src/engine/tools/findTools.js';
import { ANTHROPIC_CAPABILITIES, ANTHROPIC_PROTOCOL } from '../../src/providers/anthropic/defaults.js';
import type { CachingServer } from '../support/cachingServer/cachingServer.js';
import { MARK, refusal, Rig, usage, words } from '../support/cachingServer/rig.js';
import { assistant, call, result, results, text, user } from '../support/engine/messages.js';
import { markedCache, OPEN_MODEL } from '../support/engine/models.js';
import { RecordedChat } from '../support/engine/requests.js';
import { situationAfter } from '../support/engine/situations.js';
import { client, OPEN, outcome } from './anthropicPeer.js';

const MODEL: Model = {
  ...OPEN_MODEL,
  ref: { provider: 'p', model: 'practice' },
  protocol: ANTHROPIC_PROTOCOL,
  capabilities: { ...ANTHROPIC_CAPABILITIES, toolsOnDemand: true, cache: markedCache({ minimumTokens: 100 }) },
};

function offered(name: string): OfferedTool {
  const description = words(`Does ${name}. `, 300);
  const definition = { type: 'toolDefinition', name: `git__${name}`, description, schema: { type: 'object' }, isRetired: false } as const;
  return { key: `tool:git/${name}`, definition };
}

const TOOLS = ['status', 'log', 'blame'].map(offered);
const [, LOG, BLAME] = TOOLS.map(({ key }) => key);
const ASKED: readonly SentMessage[] = [user('u', words('What is new? ', 200))];

const SEARCHED: readonly SentMessage[] = [
  ...ASKED,
  assistant('s', { ...call('c1', { query: 'log' }), name: FIND_TOOLS }),
  results('r', { ...result('c1', { type: 'toolReference', name: 'git__log' }), name: FIND_TOOLS }),
];

const CALLED: readonly SentMessage[] = [
  ...SEARCHED,
  assistant('t', { ...call('c2', {}), name: 'git__log' }),
  results('q', { ...result('c2', text(words('Commits. ', 100))), name: 'git__log' }),
];

interface Served {
  readonly read: number;
  readonly written: number;
  readonly fresh: number;
}

/** The server's bill for a chat's requests. `onDemand` are the keys of the tools on demand in each request. */
async function served(server: CachingServer, requests: readonly (readonly [readonly SentMessage[], readonly (string | undefined)[]])[]) {
  const chat = new RecordedChat();
  const asking = client(server.url);
  const all: Served[] = [];
  for (const [messages, onDemand] of requests) {
    const content = { model: MODEL, layout: LAYOUTS.adaptive, systemPrompt: words('Be brief. ', 100), tools: TOOLS, messages };
    const { prompt } = chat.send({
      ...content,
      onDemand: new Set(onDemand.flatMap((key) => key ?? [])),
      situation: situationAfter(chat, 1_000),
    });
    const wire = asking.convert(MODEL, prompt, { maxOutputTokens: 1_000, extraBody: {} }, new Map());
    const { parts, error } = await outcome(asking.stream(MODEL, wire, OPEN, UNRECORDED));
    assert.equal(error, null);
    const end = parts.find(({ type }) => type === 'end');
    const { promptTokens, cacheReadInputTokens, cacheCreationInputTokens } =
      (end?.type === 'end' ? end.usage : null) ?? assert.fail('No usage.');
    all.push({ read: cacheReadInputTokens?.value ?? 0, written: cacheCreationInputTokens?.value ?? 0, fresh: promptTokens?.value ?? 0 });
  }
  return all;
}

describe('a tool on demand over the wire', () => {
  const rig = new Rig();

  afterEach(() => rig.stopAll());

  it('keeps all that is in the cache when it is loaded, and its definition is billed where it was', async () => {
    const server = await rig.startSmall({});
    const deferred = [LOG, BLAME];
    const [first, second, third] = await served(server, [
      [ASKED, deferred],
      [SEARCHED, deferred],
      [CALLED, deferred],
    ]);
    assert.ok(first !== undefined && second !== undefined && third !== undefined);
    assert.deepEqual([first.read, first.fresh], [0, 0]);
    assert.equal(second.read, first.written, 'all of the first request');
    assert.ok(second.written >= 300, `the definition and what else is new: ${second.written}`);
    assert.equal(third.read, first.written + second.written, 'the definition, too');
    assert.ok(third.written < 300, `no definition again: ${third.written}`);
  });

  it('would lose it all if its definition came to those of the other tools', async () => {
    const server = await rig.startSmall({});
    const [first, second] = await served(server, [
      [ASKED, [LOG, BLAME]],
      [SEARCHED, [BLAME]],
    ]);
    assert.ok((first?.written ?? 0) > 0);
    assert.equal(second?.read, 0);
  });
});

describe('the caching server', () => {
  const rig = new Rig();

  afterEach(() => rig.stopAll());

  const tool = (name: string, change: object): object => ({
    name,
    description: words(name, 200),
    input_schema: { type: 'object' },
    ...change,
  });
  const DEFERRED = { defer_loading: true };
  const asked = { messages: [{ role: 'user', content: 'a' }] };
  const loading = (name: string): object => ({
    messages: [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'find', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: [{ type: 'tool_reference', tool_name: name }] }] },
    ],
  });

  it('refuses what the API refuses of deferred tools', async () => {
    const server = await rig.start({});
    const rows: readonly (readonly [object, RegExp])[] = [
      [{ tools: [tool('a', DEFERRED)], ...asked }, /All tools cannot be deferred/],
      [
        { tools: [tool('find', {}), tool('a', { ...DEFERRED, ...MARK })], ...asked },
        /cannot have both defer_loading=true and cache_control/,
      ],
      [{ tools: [tool('find', {}), tool('a', DEFERRED)], ...loading('b') }, /'b' not found in available tools/],
      [{ tools: [tool('find', {}), tool('a', {})], ...loading('a') }, /'a' not found in available tools/],
    ];
    for (const [body, told] of rows) {
      assert.match(await refusal(server, body), told);
    }
  });

  it('bills a deferred tool where it is loaded, and caches it as a part of its result', async () => {
    const server = await rig.start({ models: [{ id: 'practice', minimumTokens: 10 }] });
    const tokens = async (body: object): Promise<number> => {
      const { input_tokens: fresh } = (await usage(server, body)) as { input_tokens: number };
      return fresh;
    };
    const [find, a] = [tool('find', {}), tool('a', DEFERRED)];
    const without = await tokens({ tools: [find], ...asked });
    assert.equal(await tokens({ tools: [find, a], ...asked }), without);
    const [loaded, other] = [
      await tokens({ tools: [find, a], ...loading('a') }),
      await tokens({ tools: [find, a, tool('b', DEFERRED)], ...loading('a') }),
    ];
    assert.ok(loaded > without + 200);
    assert.equal(other, loaded);
  });
});
