import assert from 'node:assert/strict';
import type { SentMessage } from '../../../src/engine/chat/message/message.js';
import type { Part } from '../../../src/engine/model/part.js';
import type { ToolDefinition, Block } from '../../../src/engine/model/block.js';
import type { OfferedTool } from '../../../src/engine/request/gather.js';
import { promptBlocks, type Prompt } from '../../../src/engine/model/prompt.js';
import { ownToolName, sentToolNames, type ToolNames } from '../../../src/engine/record/toolNames.js';
import type { Model, ToolNameRule } from '../../../src/engine/model/model.js';
import { NO_ADAPTATIONS } from '../../../src/engine/record/adaptations.js';
import { column } from '../../support/columns.js';
import { EMPTY_MANIFEST } from '../../support/engine/events.js';
import { assistant, call, reasoning, result, results, text, user } from '../../support/engine/messages.js';
import { BINDING_MODEL, OPEN_MODEL, TOOLLESS_MODEL, withCapabilities } from '../../support/engine/models.js';
import { sha256, characters } from '../../support/engine/ports.js';
import { RecordedChat, wireOf, type Content } from '../../support/engine/requests.js';
import { calls, END, RunRig, says } from '../../support/engine/runRig.js';
import type { SentAttempts } from '../../../src/engine/request/adapt/adapt.js';
import { BlockFactory } from '../../../src/engine/request/blockFactory.js';
import { composeConversation, type Conversation } from '../../support/engine/conversation.js';
import { NO_RESULTS } from '../../support/engine/largeResults.js';
import { PrefixHash } from '../../../src/engine/request/prefixHash.js';

const RULE: ToolNameRule = { characters: 'a-zA-Z0-9_-', first: null, maxLength: 20 };
const VALID = /^[a-zA-Z0-9_-]{1,20}$/;
const MODEL = withCapabilities(OPEN_MODEL, { toolNames: RULE });

const offered = (name: string): OfferedTool => {
  const definition: ToolDefinition = { type: 'toolDefinition', name, description: 'Reads.', schema: {}, isRetired: false };
  return { key: `tool:files/${name}`, definition };
};

function talked(name: string): readonly SentMessage[] {
  const answer = { ...result('c', text('content')), name };
  return [user('u1', 'Read'), assistant('a1', { ...call('c', {}), name }), results('r1', answer), user('u2', 'Go on')];
}

function namesIn(prompt: Prompt): string[] {
  return promptBlocks(prompt).flatMap(({ part }) => ('name' in part ? [part.name] : []));
}

function sent(names: readonly string[], rule: ToolNameRule | null): ToolNames {
  return sentToolNames(new Set(names), rule, sha256);
}

describe('names of tools that a protocol does not take', () => {
  const ODD = ['a b', 'a/b', 'ä', '', '😀', 'x'.repeat(21), 'x'.repeat(22), 'server:tool'];

  it('are replaced by ones that it does, no two the same', () => {
    const pairs = sent([...ODD, 'a_b', 'fine'], RULE);
    const names = pairs.map(([own]) => own);
    assert.deepEqual(names, ODD);
    const all = [...pairs.map(([, name]) => name), 'a_b', 'fine'];
    const areValid = all.every((name) => VALID.test(name));
    assert.ok(areValid, all.join(' '));
    assert.equal(new Set(all).size, all.length);
  });

  it('are the same whatever other tools there are', () => {
    const alone = new Map(ODD.flatMap((name) => sent([name], RULE)));
    assert.deepEqual(new Map(sent(['other tool', ...ODD.toReversed(), 'a_b'], RULE)), new Map([...sent(['other tool'], RULE), ...alone]));
  });

  it('start with a letter where the endpoint wants one', () => {
    const rule: ToolNameRule = { characters: 'a-zA-Z0-9_-', first: 'a-zA-Z', maxLength: 64 };
    const [[own, name] = ['', ''], ...others] = sent(['21st-dev__search', 'fine__search'], rule);
    assert.deepEqual([own, others], ['21st-dev__search', []]);
    assert.match(name, /^t_21st-dev__search_[0-9a-f]{8}$/);
    assert.deepEqual(sent(['21st-dev__search'], rule), [[own, name]], 'the same in every request');
    assert.match(new Map(sent([`9${'x'.repeat(80)}`], rule)).values().next().value ?? '', /^t_9x{52}_[0-9a-f]{8}$/);
  });

  it('make way for a tool that has such a name already', () => {
    const [[, usual] = ['', '']] = sent(['a b'], RULE);
    const [[, other] = ['', '']] = sent(['a b', usual], RULE);
    assert.notEqual(other, usual);
    assert.match(other, VALID);
  });

  it('stay as they are where any name is taken', () => {
    assert.deepEqual(sent(ODD, null), []);
  });

  it('are read back as the tool’s own', () => {
    const pairs = sent(ODD, RULE);
    const back = pairs.map(([, name]) => ownToolName(name, pairs));
    assert.deepEqual(back, ODD);
    assert.equal(ownToolName('fine', pairs), 'fine');
  });
});

describe('a request with such names', () => {
  const chats: readonly (readonly [string, Content])[] = [
    ['offered', { model: MODEL, tools: [offered('read file'), offered('fine')], messages: [user('u', 'Hello')] }],
    ['in the conversation', { model: MODEL, messages: talked('read file') }],
    ['in a result that was lost', { model: MODEL, messages: talked('read file').slice(0, 2) }],
    ['in both', { model: MODEL, tools: [offered('read file')], messages: talked('read file') }],
  ];

  for (const [where, content] of chats) {
    it(`sends them changed, keeps both names in its record, and is rebuilt to the byte: ${where}`, async () => {
      const chat = new RecordedChat();
      const { prompt, attempt } = chat.send(content);
      const { toolNames, bodyHash } = attempt.manifest;
      const names = toolNames.map(([own]) => own);
      assert.deepEqual(names, ['read file']);
      const changed = toolNames[0]?.[1];
      assert.ok(namesIn(prompt).includes(changed ?? '') && namesIn(prompt).every((name) => VALID.test(name)));
      const rebuilt = await chat.rebuild(attempt);
      assert.deepEqual(rebuilt, prompt);
      assert.equal(sha256(wireOf(rebuilt).body), bodyHash);
    });
  }

  it('counts the names that it sends', () => {
    const chat = new RecordedChat();
    const called = chat.send({ model: MODEL, messages: talked('read file') }).prompt.messages[1]?.blocks[0];
    assert.ok(called?.part.type === 'toolCall');
    assert.equal(called.tokens, `${called.part.name}\n{}`.length);
  });

  it('says in words what the tool is called where the model takes no tools', () => {
    const { prompt, attempt } = new RecordedChat().send({
      model: withCapabilities(TOOLLESS_MODEL, { toolNames: RULE }),
      messages: talked('read file'),
    });
    assert.deepEqual(attempt.manifest.toolNames, []);
    assert.match(JSON.stringify(prompt), /Called the tool read file/);
  });
});

describe('a call that comes back', () => {
  it('is one of the tool that was meant, under its own name', async () => {
    const rig = new RunRig([...calls(0, 'read_file', '{"path":"a"}'), END], [says('Done'), END]);
    rig.manifest = { ...EMPTY_MANIFEST, toolNames: [['read file', 'read_file']] };
    rig.tools.set('read file', async () => ({ content: [text('content')], isError: false }));
    await rig.go();
    assert.ok(rig.moments.includes('tool read file {"path":"a"}'));
    const parts = rig.said.flatMap((message): readonly Part[] => ('parts' in message ? message.parts : []));
    assert.deepEqual(
      parts.flatMap((part) => ('name' in part ? [[part.type, part.name]] : [])),
      [
        ['toolCall', 'read file'],
        ['toolResult', 'read file'],
      ],
    );
  });
});

describe('tools that only the conversation names', () => {
  const needy = (model: Model): Model => withCapabilities(model, { callsNeedDefinitions: true, toolNames: RULE });
  const promptFor = (content: Content): Prompt => new RecordedChat().send(content).prompt;

  it('are defined where the protocol demands it, in the order in which they come, and counted', () => {
    const messages = [...talked('read file'), ...talked('write').map((message) => ({ ...message, id: `again-${message.id}` }))];
    const { prompt, attempt } = new RecordedChat().send({ model: needy(OPEN_MODEL), messages });
    const [[, changed] = ['', '']] = attempt.manifest.toolNames;
    assert.deepEqual(
      prompt.tools.map(({ key, category, part, tokens }) => [key, category, 'name' in part && part.name, tokens > 0]),
      [
        ['retiredTool:read file', 'tools', changed, true],
        ['retiredTool:write', 'tools', 'write', true],
      ],
    );
    assert.ok(prompt.tools.every(({ part }) => part.type === 'toolDefinition' && part.isRetired));
  });

  it('are not where tools are offered, where the protocol does not demand it, and where calls are sent as text', () => {
    const messages = talked('old');
    const offering = promptFor({ model: needy(OPEN_MODEL), tools: [offered('new')], messages });
    assert.deepEqual(column(offering.tools, 'key'), ['tool:files/new']);
    assert.deepEqual(promptFor({ model: OPEN_MODEL, messages }).tools, []);
    assert.deepEqual(promptFor({ model: needy(TOOLLESS_MODEL), messages }).tools, []);
  });

  it('change with the conversation, though they stand in front of it: no reasoning goes with them', () => {
    const said = assistant('a1', reasoning('Hm', 'signed'), call('c', {}));
    const messages = [user('u1', 'Read'), said, results('r1', result('c', text('content'))), user('u2', 'Go on')];
    for (const model of [OPEN_MODEL, BINDING_MODEL].map(needy)) {
      const { attempt, prompt } = new RecordedChat().send({ model, messages });
      assert.ok(promptBlocks(prompt).every(({ part }) => part.type !== 'reasoning'));
      assert.deepEqual(attempt.manifest.adaptations, { ...NO_ADAPTATIONS, reasoningOutdated: 1 });
    }
  });
});

const NONE_MISSING: ReadonlySet<string> = new Set();
const asked = user('u1', 'Read');

describe('reasoning of a model that binds it to what stood before', () => {
  const factory = new BlockFactory(characters, sha256);
  const system = (words: string): Block =>
    factory.snapshotBlock({ key: 'system:global', role: 'system', category: 'system', item: null }, text(words));
  const sentFor = (before: readonly Block[], messages: readonly SentMessage[]): string =>
    new PrefixHash([...before, ...composed(before, messages, new Map()).messages.flatMap(({ blocks }) => blocks)], factory.sha256).value;
  const composed = (before: readonly Block[], messages: readonly SentMessage[], attempts: SentAttempts): Conversation =>
    composeConversation(
      { before, messages, model: BINDING_MODEL, missingImages: NONE_MISSING, resultTexts: NO_RESULTS, attempts },
      factory,
    );
  const reply = assistant('a1', reasoning('Hm', 'signed'), 'Yes');
  const attempts = new Map([[reply.attemptId, { manifest: { promptHash: sentFor([system('Be brief.')], [asked]) } }]]);
  const kinds = (before: readonly Block[], ...messages: SentMessage[]): string =>
    composed(before, messages, attempts)
      .messages.map(({ blocks }) => blocks.map(({ part }) => part.type).join(' '))
      .join(', ');

  it('sends it behind the same', () => {
    assert.equal(kinds([system('Be brief.')], asked, reply), 'text, reasoning text');
    assert.deepEqual(composed([system('Be brief.')], [asked, reply], attempts).adaptations, NO_ADAPTATIONS);
  });

  it('leaves it out, and says so, when something before it has changed, has come or has gone', () => {
    for (const [before, messages] of [
      [[system('Be polite.')], [asked]],
      [[], [asked]],
      [[system('Be brief.')], [user('u1', 'Read on')]],
      [[system('Be brief.')], [user('u0', 'Hello'), asked]],
      [[system('Be brief.')], []],
    ] as const) {
      const conversation = composed(before, [...messages, reply], attempts);
      assert.ok(conversation.messages.every(({ blocks }) => blocks.every(({ part }) => part.type !== 'reasoning')));
      assert.deepEqual(conversation.adaptations, { ...NO_ADAPTATIONS, reasoningOutdated: 1 });
    }
  });

  it('leaves it out when nobody knows what its request sent', () => {
    assert.equal(kinds([system('Be brief.')], asked, { ...reply, attemptId: 'lost' }), 'text, text');
  });

  it('leaves out what follows a part of the same reply that is not sent', () => {
    const parts = { ...reply, parts: [...assistant('', reasoning('Hm', 'signed'), ' ', reasoning('So', 'signed too'), 'Yes').parts] };
    assert.equal(kinds([system('Be brief.')], asked, parts), 'text, reasoning text');
  });

  it('computes nothing where there is no reasoning that could go back', () => {
    let hashed = 0;
    const counting = new BlockFactory(characters, (bytes) => {
      hashed += 1;
      return sha256(bytes);
    });
    const compose = (...messages: SentMessage[]): number => {
      hashed = 0;
      composeConversation(
        { before: [], messages, model: BINDING_MODEL, missingImages: NONE_MISSING, resultTexts: NO_RESULTS, attempts },
        counting,
      );
      return hashed;
    };
    const plain = [asked, assistant('a2', reasoning('H', null), 'Yes')];
    compose(...plain);
    compose(asked, reply);
    // With known blocks, only the hash of nothing is left to compute.
    assert.equal(compose(...plain), 1);
    assert.equal(compose(asked, reply), 2);
  });
});
