import assert from 'node:assert/strict';
import { BlockFactory, measureParts } from '../../../src/engine/request/blockFactory.js';
import { GLOBAL_PROMPT } from '../../../src/engine/request/gather.js';
import type { Prompt } from '../../../src/engine/model/prompt.js';
import type { Request, RequestInput } from '../../../src/engine/request/request.js';
import { column } from '../../support/columns.js';
import { assistant, image, user, call, result, results } from '../../support/engine/messages.js';
import { OPEN_MODEL, STRICT_MODEL, withCapabilities, markedCache } from '../../support/engine/models.js';
import { characters, sha256, NO_PAUSE } from '../../support/engine/ports.js';
import { requestOf, withFiles, RecordedChat } from '../../support/engine/requests.js';
import { blocksOf } from '../../support/engine/wireRules.js';
import type { SentMessage } from '../../../src/engine/chat/message/message.js';
import { LARGE_RESULTS, RESULT_TEXTS, resultTextsWithout } from '../../support/engine/largeResults.js';
import { forgetAfter } from '../../support/engine/toolMemories.js';
import { LAYOUTS } from '../../../src/engine/request/layout/layouts.js';

function requested(change: Partial<RequestInput>): Request {
  return requestOf(change, new BlockFactory(characters, sha256));
}

function lines(prompt: Prompt): string[] {
  return prompt.messages.map(({ role, blocks }) => {
    const texts = blocks.map(({ part }) => (part.type === 'text' ? part.text : `<${part.type}>`));
    return `${role}: ${texts.join(' | ')}`;
  });
}

function systemText(prompt: Prompt): string {
  return prompt.system.map(({ part }) => (part.type === 'text' ? part.text : '')).join('');
}

function marks({ prompt }: Request): string[] {
  return blocksOf(prompt)
    .filter(({ breakpoint }) => breakpoint !== null)
    .map(({ key }) => key);
}

describe('the plain layout', () => {
  it('puts the system prompt first', () => {
    const { prompt } = requested({ systemPrompt: 'You are a pilot.' });
    const keys = blocksOf(prompt).map(({ key, role }) => `${role} ${key}`);
    assert.deepEqual(keys, ['system system:global', 'system system:agent', 'user message:u/0']);
  });

  it('joins global prompt, agent prompt and fragments with line breaks', () => {
    const fragments = [
      { key: 'fragment:a', text: 'First.' },
      { key: 'fragment:b', text: 'Second.' },
    ];
    const { prompt } = requested({ systemPrompt: 'You are a pilot.', fragments });
    assert.equal(systemText(prompt), `${GLOBAL_PROMPT}\nYou are a pilot.\nFirst.\nSecond.`);
  });

  it('leaves out what is empty of the system prompt', () => {
    assert.equal(systemText(requested({ systemPrompt: ' \n' }).prompt), GLOBAL_PROMPT);
    const fragments = [
      { key: 'fragment:a', text: '' },
      { key: 'fragment:b', text: 'Second.' },
    ];
    assert.equal(systemText(requested({ fragments }).prompt), `${GLOBAL_PROMPT}\nSecond.`);
  });

  it('puts the files in a pair under "Working Files" in front of the history', () => {
    const messages = [user('u1', 'Hello'), assistant('a1', 'Hi'), user('u2', 'Again')];
    const { prompt } = requested({ ...withFiles({ 'b.ts': 'b', 'a.ts': 'a\n' }), messages });
    const [files, answer, ...rest] = lines(prompt);
    assert.match(files!, /^user: # Working Files\n.* \| a\.ts\n```ts\na\n``` \| b\.ts\n```ts\nb\n```\n/s);
    assert.match(answer!, /^assistant: ./);
    assert.deepEqual(rest, ['user: Hello', 'assistant: Hi', 'user: Again']);
  });

  it('has no such pair without files', () => {
    assert.deepEqual(lines(requested({}).prompt), ['user: Hello']);
  });

  it('gives each file a block of its own, named after it', () => {
    const { prompt } = requested(withFiles({ 'src/a.ts': 'a', 'b.ts': '' }));
    const keys = prompt.messages[0]?.blocks.map(({ key, category }) => `${category} ${key}`);
    assert.deepEqual(keys, ['files files:header', 'files file:b.ts', 'files file:src/a.ts']);
  });

  it('fences a file with more backticks than it holds', () => {
    const [files] = lines(requested(withFiles({ 'a.md': '```ts\n````\n' })).prompt);
    assert.match(files!, /a\.md\n`````md\n```ts\n````\n`````$/);
  });

  it('puts the history before the current message', () => {
    const messages = [user('u1', 'First'), assistant('a1', 'Reply'), user('u2', 'Now')];
    assert.deepEqual(lines(requested({ messages }).prompt), ['user: First', 'assistant: Reply', 'user: Now']);
  });

  it('sends an image as a part beside the text', () => {
    const { prompt } = requested({ messages: [user('u', 'Look', image('f00d'))] });
    assert.deepEqual(column(prompt.messages[0]?.blocks, 'part'), [
      { type: 'text', text: 'Look' },
      { type: 'image', blob: 'f00d', mimeType: 'image/png' },
    ]);
  });

  it('says in its place that an image is left out for a model that takes none', () => {
    const { prompt } = requested({ model: STRICT_MODEL, messages: [user('u', 'Look', image('f00d'))] });
    assert.match(lines(prompt)[0]!, /^user: Look \| \(An image, image\/png, is left out/);
  });

  it('estimates more than nothing, and exactly the content and the framing', () => {
    const { size, framingTokens, prompt } = requested({ messages: [user('u1', 'One'), assistant('a', 'Two')] });
    assert.equal(framingTokens, 3 + 4 * 3);
    assert.equal(size.tokens, framingTokens + systemText(prompt).length + 'OneTwo'.length);
  });

  it('measures the same without anything to send yet', () => {
    const { size, prompt } = requested({ messages: [] });
    assert.deepEqual(prompt.messages, []);
    assert.equal(size.tokens, 3 + 4 + GLOBAL_PROMPT.length);
  });
});

describe('cache breakpoints of the plain layout', () => {
  const messages = [user('u1', 'a'.repeat(100)), assistant('a1', 'Hi'), user('u2', 'First', 'Last')];

  it('are none when the cache is off', () => {
    assert.deepEqual(marks(requested({ cacheMode: 'all-off', messages })), []);
  });

  it('mark the end of the system prompt', () => {
    assert.deepEqual(marks(requested({ cacheMode: 'system', messages })), ['system:global']);
    assert.deepEqual(marks(requested({ cacheMode: 'system', systemPrompt: 'Agent.', messages })), ['system:agent']);
  });

  it('mark the end of the system prompt and of the request', () => {
    assert.deepEqual(marks(requested({ cacheMode: 'cached', messages })), ['system:global', 'message:u2/1']);
  });

  it('live for five minutes', () => {
    const { prompt } = requested({ cacheMode: 'cached', messages });
    assert.deepEqual(new Set(blocksOf(prompt).map(({ breakpoint }) => breakpoint?.ttl)), new Set([undefined, '5m']));
  });

  it('are left out on a prefix below the provider’s minimum', () => {
    const needs = (minimumTokens: number): RequestInput['model'] => withCapabilities(OPEN_MODEL, { cache: markedCache({ minimumTokens }) });
    const whole = GLOBAL_PROMPT.length + 100 + 'HiFirstLast'.length;
    const marked = (minimum: number): string[] => marks(requested({ model: needs(minimum), cacheMode: 'cached', messages }));
    assert.deepEqual(marked(GLOBAL_PROMPT.length), ['system:global', 'message:u2/1']);
    assert.deepEqual(marked(GLOBAL_PROMPT.length + 1), ['message:u2/1']);
    assert.deepEqual(marked(whole), ['message:u2/1']);
    assert.deepEqual(marked(whole + 1), []);
  });

  it('are none for a model without them', () => {
    assert.deepEqual(marks(requested({ model: STRICT_MODEL, cacheMode: 'cached', messages })), []);
  });

  it('are never more than the provider takes: the end of the request comes first', () => {
    const takes = (most: number): RequestInput['model'] => withCapabilities(OPEN_MODEL, { cache: markedCache({ most, minimumTokens: 0 }) });
    assert.deepEqual(marks(requested({ model: takes(1), cacheMode: 'cached', messages })), ['message:u2/1']);
    assert.deepEqual(marks(requested({ model: takes(1), cacheMode: 'system', messages })), ['system:global']);
  });

  it('stand in front of an empty conversation on the system prompt alone', () => {
    assert.deepEqual(marks(requested({ cacheMode: 'cached', messages: [] })), ['system:global']);
  });

  it('do not change what a block is', () => {
    const hashes = (cacheMode: RequestInput['cacheMode']): string[] =>
      blocksOf(requested({ cacheMode, messages }).prompt).map(({ hash }) => hash);
    assert.deepEqual(hashes('cached'), hashes('all-off'));
  });
});

const MESSAGES: readonly SentMessage[] = [
  user('u', 'Read'),
  assistant('a', call('c', { path: 'x' })),
  results('r', result('c', LARGE_RESULTS[0]!)),
  assistant('b', 'It has lines.'),
  user('v', 'Go on'),
];
const UNREADABLE = resultTextsWithout(['dd']);

function newFactory(): BlockFactory {
  return new BlockFactory(characters, sha256);
}

describe('a large result that can be read for one request and not for another', () => {
  it('is sent with its text once it can be read, after a request that forgot it', async () => {
    const chat = new RecordedChat();
    chat.send({ messages: MESSAGES, resultTexts: UNREADABLE, ...forgetAfter(0) });
    const { attempt, prompt } = chat.send({ messages: MESSAGES, ...forgetAfter(null) });
    assert.ok(JSON.stringify(prompt).includes(JSON.stringify(RESULT_TEXTS.get('dd'))));
    assert.deepEqual(await chat.rebuild(attempt), prompt);
  });

  it('is sent with its text once it can be read, where it was measured before it could', async () => {
    const factory = newFactory();
    await measureParts(MESSAGES, UNREADABLE, factory, NO_PAUSE);
    const request = requestOf({ messages: MESSAGES, resultTexts: RESULT_TEXTS }, factory);
    assert.deepEqual(request, requestOf({ messages: MESSAGES, resultTexts: RESULT_TEXTS }, newFactory()));
  });

  it('has the tokens of its note among those that a request forgot, also where it could be read before', () => {
    const factory = newFactory();
    const forgotten = (resultTexts: typeof UNREADABLE, by: BlockFactory): number =>
      requestOf({ messages: MESSAGES, resultTexts, ...forgetAfter(0) }, by).forgotten.reduce((sum, { tokens }) => sum + tokens, 0);
    const whole = forgotten(RESULT_TEXTS, factory);
    const noted = forgotten(UNREADABLE, factory);
    assert.ok(whole > RESULT_TEXTS.get('dd')!.length && noted < whole / 10, `${String(whole)} and ${String(noted)}`);
    assert.equal(noted, forgotten(UNREADABLE, newFactory()));
  });
});

const MODEL = withCapabilities(OPEN_MODEL, { cache: markedCache({ minimumTokens: 0 }) });

function breakpoints(messages: readonly SentMessage[], files: Readonly<Record<string, string>>): string[] {
  const input = { model: MODEL, layout: LAYOUTS['message-70'], cacheMode: 'cached', messages, ...withFiles(files) } as const;
  const { prompt } = requestOf(input, new BlockFactory(characters, sha256));
  return blocksOf(prompt).flatMap(({ key, breakpoint }) => (breakpoint === null ? [] : [key]));
}

/** So many exchanges, and a message to answer. */
function exchanges(count: number): SentMessage[] {
  const past = Array.from({ length: count }, (_, at) => [user(`u${at}`, 'Ask'), assistant(`a${at}`, 'Answer')]).flat();
  return [...past, user('now', 'Now')];
}

describe('breakpoints of the layout message-70', () => {
  it('are at the end of the system prompt, and at up to 70 % of the messages', () => {
    assert.deepEqual(breakpoints(exchanges(4), {}), ['system:global', 'message:a2/0'], '6 of 9 messages, rounded down');
    assert.deepEqual(breakpoints(exchanges(5), {}), ['system:global', 'message:u3/0'], '7 of 11');
  });

  it('count the pair of the files as messages', () => {
    assert.deepEqual(breakpoints(exchanges(4), { 'a.ts': 'a' }), ['system:global', 'message:u2/0'], '7 of 11, two of them the files');
  });

  it('leave a chat of one message with that of the system prompt', () => {
    assert.deepEqual(breakpoints(exchanges(0), {}), ['system:global']);
  });

  it('are never on tool results of the last turn, or behind them', () => {
    const steps = [0, 1, 2, 3].flatMap((at) => [assistant(`s${at}`, call(`c${at}`, {})), results(`r${at}`, result(`c${at}`))]);
    assert.deepEqual(breakpoints([...exchanges(0), ...steps], {}), ['system:global', 'message:s0/0']);
  });

  it('may be on tool results of an earlier turn', () => {
    const turn = [user('u', 'Ask'), assistant('s', call('c', {})), results('r', result('c')), assistant('a', 'Done')];
    assert.deepEqual(breakpoints([...turn, user('now', 'Now')], {}), ['system:global', 'message:r/0'], '3 of 5');
  });
});
