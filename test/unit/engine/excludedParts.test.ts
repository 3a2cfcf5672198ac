import assert from 'node:assert/strict';
import { excludedParts, withoutExcluded } from '../../../src/engine/chat/excludedParts.js';
import type { SentMessage } from '../../../src/engine/chat/message/message.js';
import { assistant, call, result, results, text, user } from '../../support/engine/messages.js';

const FIRST = [
  user('u1', 'Tides?'),
  assistant('s1', 'I look.', call('c1', {})),
  results('r1', result('c1', text('High.'))),
  assistant('a1', 'High.'),
];
const SECOND = [user('u2', 'And now?'), assistant('a2', 'Low.')];
const NONE = { excluded: new Map(), excludedCalls: new Map() };

function left(messages: readonly SentMessage[], ...marked: string[]): { readonly messages: string[]; readonly calls: string[] } {
  const found = excludedParts({ pinned: [], messages }, { ...NONE, excluded: new Map(marked.map((id) => [id, 'later'])) });
  return { messages: [...found.messages.keys()], calls: [...found.calls.keys()] };
}

describe('what the user excluded', () => {
  it('is the turn of a message, or the tool calls of a reply', () => {
    const all = [...FIRST, ...SECOND];
    assert.deepEqual(left(all), { messages: [], calls: [] });
    assert.deepEqual(left(all, 'u1'), { messages: ['u1', 's1', 'r1', 'a1'], calls: [] });
    assert.deepEqual(left(all, 'u2', 's1'), { messages: ['u2', 'a2'], calls: ['s1'] });
    assert.deepEqual(left(all, 'a1', 'r1', 'unknown'), { messages: [], calls: [] });
  });

  it('is nothing of a turn that is being answered', () => {
    assert.deepEqual(left([...FIRST, SECOND[0]!], 'u1', 'u2').messages, ['u1', 's1', 'r1', 'a1']);
    assert.deepEqual(left(FIRST.slice(0, 3), 'u1', 's1'), { messages: [], calls: [] });
    assert.deepEqual(left([...FIRST.slice(0, 3), user('u2', 'Stop.')], 'u1').messages, ['u1', 's1', 'r1']);
  });

  it('is nothing that has loaded tools', () => {
    const finds = [
      user('u1', 'Tides?'),
      assistant('s1', call('c1', {})),
      results('r1', result('c1', { type: 'toolReference', name: 'git' })),
    ];
    assert.deepEqual(left([...finds, assistant('a1', 'There.')], 'u1', 's1'), { messages: ['u1', 'a1'], calls: [] });
  });

  it('is of a pinned message from before a summary that message alone', () => {
    const found = excludedParts(
      { pinned: [user('u0', 'Hi'), assistant('a5', 'Yes.')], messages: SECOND },
      { ...NONE, excluded: new Map([['u0', 'now']]) },
    );
    assert.deepEqual([...found.messages], [['u0', { turn: 'u0', removal: 'now' }]]);
  });

  it('leaves the text of a reply whose calls are excluded', () => {
    const messages = [...FIRST, ...SECOND];
    const marks = new Map([
      ['s1', 'now' as const],
      ['u2', 'later' as const],
    ]);
    const remaining = withoutExcluded(messages, excludedParts({ pinned: [], messages }, { ...NONE, excluded: marks }));
    assert.deepEqual(
      remaining.map(({ id, parts }) => [id, parts.map(({ type }) => type)]),
      [
        ['u1', ['text']],
        ['s1', ['text']],
        ['r1', []],
        ['a1', ['text']],
        ['u2', []],
        ['a2', []],
      ],
    );
  });

  it('is one of the calls of a reply with its result, and without the last one also the reasoning', () => {
    const reasoning = { type: 'reasoning', text: 'Both?', opaque: 's', protocol: 'p', model: 'm' } as const;
    const messages = [
      user('u1', 'Tides?'),
      assistant('s1', reasoning, call('c1', {}), call('c2', {})),
      results('r1', result('c1', text('High.')), result('c2', text('Low.'))),
      assistant('a1', 'High.'),
    ];
    const without = (...out: string[]): string[] => {
      const single = { ...NONE, excludedCalls: new Map([['s1', new Map(out.map((id) => [id, 'later' as const]))]]) };
      return withoutExcluded(messages, excludedParts({ pinned: [], messages }, single))
        .slice(1, 3)
        .map(({ parts }) =>
          parts.map((part) => (part.type === 'toolCall' ? part.id : part.type === 'toolResult' ? part.callId : part.type)).join(' '),
        );
    };
    assert.deepEqual(without('c1', 'unknown'), ['reasoning c2', 'c2']);
    assert.deepEqual(without('c1', 'c2'), ['', '']);
  });
});
