import assert from 'node:assert/strict';
import { CHAT_SETTINGS } from '../../../src/engine/chat/settings/config.js';
import { defaultConfig } from '../../../src/engine/chat/settings/configValues.js';
import type { SentMessage } from '../../../src/engine/chat/message/message.js';
import { BlockFactory } from '../../../src/engine/request/blockFactory.js';
import type { Request, RequestInput } from '../../../src/engine/request/request.js';
import { forgottenReplies, heldParts } from '../../../src/engine/request/toolMemory.js';
import { column } from '../../support/columns.js';
import { assistant, call, reasoning, result, results, text, user } from '../../support/engine/messages.js';
import { OPEN_MODEL, TOOLLESS_MODEL, withCapabilities } from '../../support/engine/models.js';
import { characters, sha256 } from '../../support/engine/ports.js';
import { requestOf } from '../../support/engine/requests.js';
import { forgetAfter } from '../../support/engine/toolMemories.js';
import { blocksOf } from '../../support/engine/wireRules.js';

function uses(...tools: readonly string[]): SentMessage[] {
  return tools.flatMap((tool) => [
    assistant(`uses-${tool}`, { ...call(`call-${tool}`, {}), name: tool }),
    results(`results-${tool}`, { ...result(`call-${tool}`, text(`${tool} says`)), name: tool }),
  ]);
}

const TURN_0 = [user('u0', 'Do A and B.'), ...uses('A', 'B'), assistant('end-0', 'Done with A and B.')];
const TURN_1 = [user('u1', 'Do C and D.'), ...uses('C', 'D')];
const END_1 = assistant('end-1', 'Done with C and D.');
const TURN_2 = [user('u2', 'Do E and F.'), ...uses('E', 'F')];

function requested(change: Partial<RequestInput>): Request {
  return requestOf(change, new BlockFactory(characters, sha256));
}

/** The tools whose calls and results a request has, once for each call and once for each result. */
function visible(messages: readonly SentMessage[], turns: RequestInput['toolMemory']['forgetAfterConclusions']): string {
  const { prompt } = requested({ messages, ...forgetAfter(turns) });
  const parts = blocksOf(prompt).map(({ part }) => part);
  const calls = parts.flatMap((part) => (part.type === 'toolCall' ? [part.name] : []));
  const answers = parts.flatMap((part) => (part.type === 'toolResult' ? [part.name] : []));
  assert.deepEqual(calls, answers, 'calls and results leave together');
  return calls.join(',');
}

function shown(change: Partial<RequestInput>): string[] {
  return requested(change).prompt.messages.map(({ role, blocks }) => {
    const said = blocks.map(({ part }) => (part.type === 'text' ? part.text : part.type));
    return `${role}: ${said.join(' | ')}`;
  });
}

describe('tool memory as the reference describes it', () => {
  it('is off at first, is 1 when it is switched on, and takes 0 to 5 turns', () => {
    const { on, numbers } = CHAT_SETTINGS.toolMemory;
    assert.equal(defaultConfig({ provider: 'p', model: 'm' }).toolMemory, null);
    assert.equal(on, 1);
    assert.deepEqual(column(numbers, 'value'), [0, 1, 2, 3, 4, 5]);
  });

  it('says in words what it does', () => {
    const { off, numbers } = CHAT_SETTINGS.toolMemory;
    assert.deepEqual(
      [off, ...column(numbers, 'detail')],
      [
        'Always remember',
        'forget immediately',
        'forget after 1 turn',
        ...[2, 3, 4, 5].map((turns) => `forget after ${String(turns)} turns`),
      ],
    );
  });

  it('with forgetAfterConclusions = 0: when in Turn 1, tools A,B are filtered', () => {
    assert.equal(visible([...TURN_0, user('u1', 'Do C and D.')], 0), '');
    assert.equal(visible([...TURN_0, ...TURN_1], 0), 'C,D');
  });

  it('with forgetAfterConclusions = 1: when in Turn 2, tools A,B are filtered, but C,D are still visible', () => {
    assert.equal(visible([...TURN_0, ...TURN_1], 1), 'A,B,C,D');
    assert.equal(visible([...TURN_0, ...TURN_1, END_1, ...TURN_2], 1), 'C,D,E,F');
  });

  it('filters where (currentTurn - toolTurn) > forgetAfterConclusions, for each number of turns', () => {
    const turn = (at: number): SentMessage[] => [user(`u${at}`, 'Go'), ...uses(`T${at}`), assistant(`end-${at}`, 'Done.')];
    const said = [...Array.from({ length: 7 }, (_, at) => turn(at)).flat(), user('now', 'Now')];
    for (const turns of [0, 1, 2, 3, 4, 5] as const) {
      const kept = Array.from({ length: turns }, (_, at) => `T${String(7 - turns + at)}`);
      assert.equal(visible(said, turns), kept.join(','), String(turns));
    }
  });

  it('shows all tools while it is off', () => {
    assert.equal(visible([...TURN_0, ...TURN_1, END_1, ...TURN_2], null), 'A,B,C,D,E,F');
  });

  it('counts a turn without tools', () => {
    const talk = [...TURN_0, user('u', 'Thanks'), assistant('a', 'You are welcome.'), user('v', 'Now')];
    assert.equal(visible(talk, 1), '');
    assert.equal(visible(talk, 2), 'A,B');
  });

  it('lets messages of the user open no turn: what they interrupt is remembered to its conclusion', () => {
    const interrupted = [user('u0', 'Do A.'), ...uses('A'), user('u1', 'Also B.'), ...uses('B')];
    assert.equal(visible(interrupted, 0), 'A,B');
    assert.equal(visible([...interrupted, assistant('end', 'Done.'), user('u2', 'Next')], 0), '');
  });

  it('never takes anything from the turn of a loop that is going on', () => {
    const loop = [user('u', 'Do all.'), ...uses('A', 'B', 'C', 'D', 'E', 'F', 'G', 'H')];
    assert.equal(visible(loop, 0), 'A,B,C,D,E,F,G,H');
  });
});

describe('what remains of forgotten tool calls', () => {
  const said = [
    user('u', 'Look.'),
    assistant('a', reasoning('I think.', 'signed'), 'I look.', reasoning('I call.', 'signed'), call('c', {})),
    results('r', result('c', text('Found.'))),
    assistant('b', 'It is there.'),
    user('v', 'Thanks'),
  ];

  it('is the text of the reply, without the reasoning that led to the calls', () => {
    assert.deepEqual(shown({ messages: said, ...forgetAfter(0) }), ['user: Look.', 'assistant: I look. | It is there.', 'user: Thanks']);
    assert.deepEqual(shown({ messages: said, ...forgetAfter(1) }), [
      'user: Look.',
      'assistant: reasoning | I look. | reasoning | toolCall',
      'user: toolResult',
      'assistant: It is there.',
      'user: Thanks',
    ]);
  });

  it('is nothing where the reply said nothing: no empty message, and roles alternate', () => {
    const silent = [user('u', 'Look.'), ...uses('A'), user('v', 'Stop.'), assistant('b', 'As you wish.'), user('w', 'Thanks')];
    assert.deepEqual(shown({ messages: silent, ...forgetAfter(0) }), ['user: Look. | Stop.', 'assistant: As you wish.', 'user: Thanks']);
  });

  it('takes results that are lost or doubled with it', () => {
    const broken = [
      user('u', 'Look.'),
      assistant('a', call('c', {}), call('d', {})),
      results('r', result('c', text('Found.')), result('c', text('Again.')), result('nobody', text('?'))),
      assistant('b', 'It is there.'),
      user('v', 'Thanks'),
    ];
    assert.deepEqual(shown({ messages: broken, ...forgetAfter(0) }), ['user: Look.', 'assistant: It is there.', 'user: Thanks']);
  });

  it('needs no definition of a tool that only forgotten calls name', () => {
    const model = withCapabilities(OPEN_MODEL, { callsNeedDefinitions: true });
    const names = (turns: 0 | 1): string[] =>
      requested({ model, messages: said, ...forgetAfter(turns) }).prompt.tools.map(({ key }) => key);
    assert.deepEqual([names(1), names(0)], [['retiredTool:read'], []]);
  });

  it('is the same for a model that takes no tools, whose calls go as text', () => {
    const model = TOOLLESS_MODEL;
    assert.deepEqual(shown({ model, messages: said, ...forgetAfter(0) }), [
      'user: Look.',
      'assistant: I look. | It is there.',
      'user: Thanks',
    ]);
    assert.equal(shown({ model, messages: said, ...forgetAfter(1) })[2], 'user: (The tool read answered:)\nFound.');
  });

  it('is all of it where the reply or its results are pinned', () => {
    for (const pinned of ['a', 'r']) {
      const toolMemory = { forgetAfterConclusions: 0, pinned: new Set([pinned]) } as const;
      assert.equal(shown({ messages: said, toolMemory })[2], 'user: toolResult', pinned);
    }
    const toolMemory = { forgetAfterConclusions: 0, pinned: new Set(['u', 'b', 'v']) } as const;
    assert.equal(shown({ messages: said, toolMemory })[2], 'user: Thanks');
  });

  it('is named with its tools, its tokens and the turns', () => {
    const { forgotten } = requested({ messages: [...TURN_0, user('v', 'Now')], ...forgetAfter(0) });
    const { forgotten: none } = requested({ messages: [...TURN_0, user('v', 'Now')], ...forgetAfter(1) });
    assert.deepEqual(none, []);
    assert.deepEqual(
      forgotten.map(({ tokens: _, ...rest }) => rest),
      ['A', 'B'].map((tool) => ({ messageId: `uses-${tool}`, tools: [tool], calls: 1, after: 0 })),
    );
    const before = requested({ messages: [...TURN_0, user('v', 'Now')] });
    const after = requested({ messages: [...TURN_0, user('v', 'Now')], ...forgetAfter(0) });
    const content = (request: Request): number => request.size.counted - request.framingTokens;
    const saved = forgotten.reduce((sum, { tokens }) => sum + tokens, 0);
    assert.equal(saved, content(before) - content(after));
  });
});

describe('the one optimizer', () => {
  const tools = ['read', 'write'].map((name) => ({
    key: `tool:files/${name}`,
    definition: { type: 'toolDefinition', name, description: '', schema: {}, isRetired: false } as const,
  }));

  it('offers no tool to a model that takes none, and says how many', () => {
    const { prompt, adaptations } = requested({ model: TOOLLESS_MODEL, tools });
    assert.deepEqual([prompt.tools, adaptations.toolsLeftOut], [[], 2]);
  });

  it('offers all tools to any other, also those whose calls are forgotten', () => {
    const { prompt, adaptations } = requested({ tools, messages: [...TURN_0, user('v', 'Now')], ...forgetAfter(0) });
    assert.deepEqual([prompt.tools.length, adaptations.toolsLeftOut], [2, undefined]);
  });

  it('forgets nothing for a request of Loupe itself that the last reply was written with', () => {
    const loop = [...TURN_0, ...TURN_1];
    const told = (messages: readonly SentMessage[], instruction: string | null): ReadonlySet<string> =>
      forgottenReplies(messages, { forgetAfterConclusions: 0, pinned: new Set() }, instruction !== null);
    const ofLoop = told(loop, null);
    assert.deepEqual([...ofLoop], ['uses-A', 'uses-B']);
    assert.deepEqual(told([...loop, END_1], 'Summarize.'), ofLoop);
    assert.deepEqual([...told([...loop, END_1], null)], ['uses-A', 'uses-B', 'uses-C', 'uses-D']);
    // The same prompt up to the last reply, so the cache has it.
    const last = requested({ messages: loop, ...forgetAfter(0) });
    const summary = requested({ messages: [...loop, END_1], instruction: 'Summarize.', ...forgetAfter(0) });
    const hashes = ({ prompt }: Request): string[] => blocksOf(prompt).map(({ hash }) => hash);
    assert.deepEqual(hashes(summary).slice(0, hashes(last).length), hashes(last));
  });
});

describe('what a conversation weighs', () => {
  it('is without the parts that requests forget', () => {
    const said = [...TURN_0, results('late', result('call-X', text('Nobody asked.')))];
    const held = heldParts(said, new Set(['uses-A']), new Map());
    assert.deepEqual(
      held.map(({ id, parts }) => [id, parts.length]),
      [
        ['u0', 1],
        ['uses-A', 0],
        ['results-A', 0],
        ['uses-B', 1],
        ['results-B', 1],
        ['end-0', 1],
        ['late', 1],
      ],
    );
  });
});
