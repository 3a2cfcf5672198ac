import assert from 'node:assert/strict';
import type { SentMessage } from '../../../src/engine/chat/message/message.js';
import { BlockFactory } from '../../../src/engine/request/blockFactory.js';
import type { Prompt } from '../../../src/engine/model/prompt.js';
import { lastMarksOf } from '../../support/engine/frozenMarks.js';
import { assistant, call, image, reasoning, result, results, user } from '../../support/engine/messages.js';
import { characters, sha256 } from '../../support/engine/ports.js';
import { withFiles } from '../../support/engine/requests.js';
import { forgetAfter } from '../../support/engine/toolMemories.js';
import { exchanges, shape, TIERED, TieredChat } from '../../support/engine/tieredChat.js';
import { bodyOf, lines } from '../../support/engine/wireLines.js';
import type { Block } from '../../../src/engine/model/block.js';
import { GLOBAL_PROMPT } from '../../../src/engine/request/gather.js';
import { convert as convertAnthropic } from '../../../src/providers/anthropic/convert.js';
import { convert as convertOpenAi } from '../../../src/providers/openaiCompatible/convert.js';

const FILE = { 'a.ts': 'a' };

/** The keys of the messages' blocks in wire order, by tier. */
function tiersOf({ messages }: Prompt): Record<string, string[]> {
  const tiers: Record<string, string[]> = {};
  for (const { key, tier } of messages.flatMap(({ blocks }) => blocks)) {
    if (!key.startsWith('files:') && !key.startsWith('file:')) {
      (tiers[tier] ??= []).push(key.replace(/^message:(.*)\/\d+$/, '$1'));
    }
  }
  return tiers;
}

function worked(at: number): SentMessage[] {
  return [
    user(`u${at}`, 'Work'),
    assistant(`s${at}`, call(`c${at}`, {})),
    results(`r${at}`, result(`c${at}`)),
    assistant(`a${at}`, 'Done'),
  ];
}

function workedTo(turns: number): SentMessage[] {
  return [...Array.from({ length: turns }, (_, at) => worked(at + 1)).flat(), user('now', 'Now')];
}

describe('the conversation in the layout tiered', () => {
  it('stays with the message that is answered, though that was sent many times', () => {
    const chat = new TieredChat();
    chat.ask({}, {});
    const failed = [...exchanges(1, 1), user('u2', 'Again')];
    const requests = Array.from({ length: 6 }, () => chat.send({ ...TIERED, messages: failed }).prompt);
    assert.deepEqual(tiersOf(requests.at(-1)!), { L3: ['u1', 'a1'], active: ['u2'] });
  });

  it('begins anew at an exchange whose tool calls are forgotten, and has nothing of it stand above what was the same for longer', () => {
    const chat = new TieredChat();
    const requests = Array.from({ length: 8 }, (_, turns) => chat.send({ ...TIERED, messages: workedTo(turns), ...forgetAfter(1) }).prompt);
    const tiers = tiersOf(requests.at(-1)!);
    // In this request the sixth turn has lost its calls. The rest of the others counts from its first request.
    assert.deepEqual(tiers, {
      L2: ['u1', 'a1'],
      L3: ['u2', 'a2', 'u3', 'a3', 'u4', 'a4'],
      active: ['u5', 'a5', 'u6', 'a6', 'u7', 's7', 'r7', 'a7', 'now'],
    });
    const before = tiersOf(requests.at(-2)!);
    assert.deepEqual(before['active']?.slice(0, 7), ['u4', 'a4', 'u5', 'a5', 'u6', 's6', 'r6']);
  });

  it('begins anew at an exchange whose tool calls come back', () => {
    const chat = new TieredChat();
    const messages = [...worked(1), ...worked(2), user('now', 'Now')];
    for (let time = 0; time < 4; time += 1) {
      chat.send({ ...TIERED, messages, ...forgetAfter(0) });
    }
    const kept = chat.send({ ...TIERED, messages, ...forgetAfter(0) }).prompt;
    assert.deepEqual(tiersOf(kept)['L3'], ['u1', 'a1', 'u2', 'a2']);
    const back = chat.send({ ...TIERED, messages, ...forgetAfter(null) }).prompt;
    assert.deepEqual(tiersOf(back), { active: ['u1', 's1', 'r1', 'a1', 'u2', 's2', 'r2', 'a2', 'now'] });
  });

  it('keeps a reply with the results of its calls, and with the message that it answers', () => {
    const chat = new TieredChat();
    for (let turns = 0; turns < 5; turns += 1) {
      chat.send({ ...TIERED, ...withFiles(FILE), messages: workedTo(turns) });
    }
    const { prompt } = chat.send({ ...TIERED, ...withFiles({ 'a.ts': 'changed' }), messages: workedTo(5) });
    const tiers = tiersOf(prompt);
    assert.deepEqual(tiers['L3'], ['u1', 's1', 'r1', 'a1', 'u2', 's2', 'r2', 'a2']);
    const [first, second, third] = [1, 2, 3].map((at) => [`user: u${at}`, `assistant: s${at}`, `user: r${at}`, `assistant: a${at}`]);
    const cached = [...first!, ...second!.slice(0, -1), 'assistant: a2*'];
    const working = ['user: files:header file:a.ts', 'assistant: files:acknowledged'];
    assert.deepEqual(shape(prompt).slice(0, 15), ['system: global*', ...cached, ...working, ...third!]);
  });

  it('does not move within a tool loop, in which the requests count', () => {
    const chat = new TieredChat();
    const before = [...exchanges(1, 1), user('now', 'Now')];
    chat.send({ ...TIERED, ...withFiles(FILE), messages: before });
    const steps: SentMessage[] = [];
    for (let step = 0; step < 4; step += 1) {
      steps.push(assistant(`s${step}`, call(`c${step}`, {})), results(`r${step}`, result(`c${step}`)));
      const { prompt } = chat.send({ ...TIERED, ...withFiles(FILE), messages: [...before, ...steps] });
      assert.deepEqual(Object.keys(tiersOf(prompt)), ['active']);
      assert.equal(shape(prompt)[1], 'user: files:header file:a.ts');
    }
    const { prompt } = chat.send({
      ...TIERED,
      ...withFiles(FILE),
      messages: [...before, ...steps, assistant('done', 'Done'), user('u', 'Go on')],
    });
    assert.equal(shape(prompt)[1], 'user: files:header/L3 file:a.ts');
    assert.deepEqual(tiersOf(prompt)['L3'], ['u1', 'a1'], 'the turn that has just ended was not sent whole before');
  });

  it('begins anew behind a summary, which purges what it kept from the tiers', () => {
    const chat = new TieredChat();
    chat.repeat(9, FILE, {});
    assert.deepEqual(tiersOf(chat.ask(FILE, {}).prompt)['L2'], ['u1', 'a1', 'u2', 'a2', 'u3', 'a3']);
    const after = (to: number): Prompt => {
      const messages = [...exchanges(8, to - 1), user(`u${to}`, 'Now')];
      return chat.send({ ...TIERED, ...withFiles(FILE), checkpoint: { id: 'c', text: 'Facts.' }, messages }).prompt;
    };
    for (const to of [11, 12, 13]) {
      assert.deepEqual(Object.keys(tiersOf(after(to))), ['active'], `request ${to}`);
    }
    const prompt = after(14);
    assert.deepEqual(tiersOf(prompt)['L3'], ['summary:c', 'u8', 'a8', 'u9', 'a9', 'u10', 'a10']);
    assert.equal(shape(prompt)[0], 'system: global files:header/L0 file:a.ts*', 'the files are no part of it');
  });

  it('keeps its tiers where messages go, and breaks those that they leave', () => {
    const chat = new TieredChat();
    chat.repeat(10, {}, {});
    const before = tiersOf(chat.ask({}, {}).prompt);
    assert.deepEqual(before['L1'], ['u1', 'a1']);
    assert.deepEqual(before['L2'], ['u2', 'a2', 'u3', 'a3', 'u4', 'a4']);
    const { prompt } = chat.send({ ...TIERED, messages: [...exchanges(2, 11), user('u12', 'Now')] });
    const tiers = tiersOf(prompt);
    assert.deepEqual(tiers['L1'], ['u2', 'a2'], 'L1 was broken');
    assert.deepEqual(tiers['L2'], ['u3', 'a3', 'u4', 'a4', 'u5', 'a5'], 'and so was L2');
  });

  it('begins anew behind a message that comes back, so that its order holds', () => {
    const chat = new TieredChat();
    for (let to = 3; to <= 9; to += 1) {
      chat.send({ ...TIERED, messages: [...exchanges(1, 1), ...exchanges(3, to), user('now', 'Now')] });
    }
    const { prompt } = chat.send({ ...TIERED, messages: [...exchanges(1, 9), user('u10', 'Now')] });
    const tiers = tiersOf(prompt);
    assert.deepEqual(tiers['L2'], ['u1', 'a1']);
    assert.deepEqual(tiers['L3'], undefined);
    assert.equal(tiers['active']?.[0], 'u2');
  });

  it('is not held up by a message without content', () => {
    const chat = new TieredChat();
    const messages = [
      user('u1', 'Hi'),
      assistant('a1', ' '),
      assistant('b1', reasoning('Hm.', null)),
      user('u2', ''),
      assistant('a2', 'Yes'),
    ];
    for (let request = 0; request < 3; request += 1) {
      chat.send({ ...TIERED, messages: [...messages, user('now', 'Now')] });
    }
    const { prompt } = chat.send({ ...TIERED, messages: [...messages, user('now', 'Now')] });
    assert.deepEqual(tiersOf(prompt), { L3: ['u1', 'a2'], active: ['now'] });
  });

  it('counts a message from the first request that held it, also where a model is sent it in another form', () => {
    const chat = new TieredChat();
    const messages = [user('u1', 'Look', image('aa')), assistant('a1', 'I see'), user('now', 'Now')];
    for (let request = 1; request <= 6; request += 1) {
      chat.send({ ...TIERED, messages, missingImages: new Set(request < 4 ? [] : ['aa']) });
    }
    const { prompt } = chat.send({ ...TIERED, messages, missingImages: new Set(['aa']) });
    assert.deepEqual(tiersOf(prompt), { L2: ['u1', 'noImage:u1/1', 'a1'], active: ['now'] });
  });

  it('stands for a summary as it stood in the last request, with its breakpoints', () => {
    const chat = new TieredChat();
    const sent = chat.repeat(7, FILE, {});
    const content = { ...TIERED, ...withFiles(FILE), messages: exchanges(1, 7), instruction: 'Sum up.', frozenMarks: lastMarksOf(sent) };
    const { prompt } = chat.compose(content, new BlockFactory(characters, sha256));
    assert.deepEqual(shape(prompt), [...shape(sent), 'assistant: a7', 'user: instruction']);
  });
});

const NO_IMAGES = new Map<string, string>();

const ANSWER = 'Understood. I will work with these files.';

function said(from: number, to: number, star: '' | '*'): string[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at).flatMap((at) => [
    `user: Question ${at}`,
    `assistant: Answer ${at}${at === to ? star : ''}`,
  ]);
}

/** L0 has a file. L1, L2 and L3 have messages. b.ts is new. */
function fourTiers(): Prompt {
  const chat = new TieredChat();
  chat.repeat(12, { 'a.ts': 'a\n' }, {});
  return chat.ask({ 'a.ts': 'a\n', 'b.ts': 'b\n' }, {}).prompt;
}

/** L1 has a file and messages. L2 and L3 have messages. */
function pairInL1(): Prompt {
  return new TieredChat().repeat(10, { 'a.ts': 'a\n' }, {});
}

const CACHED = [...said(1, 3, '*'), ...said(4, 6, '*'), ...said(7, 9, '*')];
const WORKING = ['user: # Working Files | b.ts', `assistant: ${ANSWER}`];

describe('the layout tiered on the wire of Anthropic', () => {
  it('has a breakpoint at the end of each of four tiers, and none behind', () => {
    const { system, messages } = bodyOf(convertAnthropic, fourTiers(), NO_IMAGES);
    const [head] = lines([{ role: 'system', content: system ?? '' }]);
    assert.match(head ?? '', /^system: You are a programming assistant .* \| # Reference Files \| a\.ts\*$/);
    assert.deepEqual(lines(messages), [...CACHED, ...WORKING, ...said(10, 12, ''), 'user: Question 13']);
  });

  it('has the files of L1 as a pair, and its breakpoint there without messages', () => {
    const { messages } = bodyOf(convertAnthropic, pairInL1(), NO_IMAGES);
    assert.deepEqual(lines(messages).slice(0, 4), [
      'user: # Reference Files | a.ts',
      `assistant: ${ANSWER}*`,
      'user: Question 1',
      'assistant: Answer 1',
    ]);
  });
});

describe('the layout tiered on the wire of OpenAI', () => {
  it('has a breakpoint at the end of each of four tiers, and none behind', () => {
    const [head, ...rest] = lines(bodyOf(convertOpenAi, fourTiers(), NO_IMAGES).messages);
    assert.match(head ?? '', /^system: You are a programming assistant .* \| # Reference Files \| a\.ts\*$/);
    assert.deepEqual(rest, [...CACHED, ...WORKING, ...said(10, 12, ''), 'user: Question 13']);
  });

  it('separates the files of the system prompt by empty lines, in one text where nothing is marked', () => {
    const prompt = fourTiers();
    const unmarked = { ...prompt, system: prompt.system.map((block): Block => ({ ...block, breakpoint: null })) };
    const [system] = bodyOf(convertOpenAi, unmarked, NO_IMAGES).messages;
    const header = '# Reference Files\n\nMore files in this conversation, as they are now:';
    assert.equal(system?.content, `${GLOBAL_PROMPT}\n\n${header}\n\na.ts\n\`\`\`ts\na\n\`\`\``);
  });
});
