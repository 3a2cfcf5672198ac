import assert from 'node:assert/strict';
import type { Block } from '../../../src/engine/model/block.js';
import type { WireMessage } from '../../../src/engine/model/prompt.js';
import { NineCharacterIds, UniqueIds, wireCallIds } from '../../../src/providers/callIds.js';
import { conversationBlock } from '../../support/engine/blocks.js';

type Part = readonly ['call' | 'result', key: string, id: string];

function message(...parts: readonly Part[]): WireMessage {
  const blocks = parts.map(([kind, key, id]): Block => {
    const part =
      kind === 'call'
        ? ({ type: 'toolCall', id, name: 'look', args: {} } as const)
        : ({ type: 'toolResult', callId: id, name: 'look', content: [], isError: false } as const);
    const role = kind === 'call' ? 'assistant' : 'tool-results';
    return conversationBlock(key, role, part, null);
  });
  return { role: parts[0]?.[0] === 'result' ? 'user' : 'assistant', blocks };
}

const ids = (...messages: readonly WireMessage[]): Record<string, string> =>
  Object.fromEntries(wireCallIds({ tools: [], system: [], messages }, new UniqueIds(16)));

describe('ids of tool calls on the wire', () => {
  it('have nine letters and digits for Mistral, also in a chat that another provider began', () => {
    const talk = [message(['call', 'a', 'toolu_01AbC']), message(['result', 'b', 'toolu_01AbC']), message(['call', 'c', 'abcDEF123'])];
    const nine = (messages: readonly WireMessage[]): Record<string, string> =>
      Object.fromEntries(wireCallIds({ tools: [], system: [], messages }, new NineCharacterIds()));
    const { a = '', b, c } = nine(talk);
    assert.match(a, /^[a-zA-Z0-9]{9}$/);
    assert.deepEqual([b, c], [a, 'abcDEF123'], 'an id of Mistral stays');
    const again = nine([...talk, message(['call', 'd', 'toolu_01AbC'])]);
    assert.equal(again['a'], a, 'later calls change no earlier id');
    assert.match(again['d'] ?? '', /^[a-zA-Z0-9]{9}$/);
    assert.notEqual(again['d'], a);
  });

  it('stay as they are when they are fine', () => {
    assert.deepEqual(ids(message(['call', 'c', 'toolu_01-A']), message(['result', 'r', 'toolu_01-A'])), {
      c: 'toolu_01-A',
      r: 'toolu_01-A',
    });
  });

  it('are rewritten when they are empty, too long or of other characters', () => {
    assert.deepEqual(ids(message(['call', 'a', ''], ['call', 'b', 'functions.look:0'], ['call', 'c', 'x'.repeat(40)])), {
      a: 'call',
      b: 'functions_look_0',
      c: 'x'.repeat(16),
    });
  });

  it('get a number when they occur again, and results follow their own call', () => {
    const round = (name: string): WireMessage[] => [message(['call', `${name}c`, 'look:0']), message(['result', `${name}r`, 'look:0'])];
    assert.deepEqual(ids(...round('1'), ...round('2'), ...round('3')), {
      '1c': 'look_0',
      '1r': 'look_0',
      '2c': 'look_0_2',
      '2r': 'look_0_2',
      '3c': 'look_0_3',
      '3r': 'look_0_3',
    });
  });

  it('are shortened to make room for the number', () => {
    const long = 'y'.repeat(16);
    assert.deepEqual(ids(message(['call', 'a', long]), message(['call', 'b', `${long}z`])), { a: long, b: `${'y'.repeat(14)}_2` });
  });

  it('make way for an id that an earlier one was rewritten to', () => {
    assert.deepEqual(ids(message(['call', 'a', 'x y']), message(['call', 'b', 'x_y']), message(['call', 'c', 'x_y_2'])), {
      a: 'x_y',
      b: 'x_y_2',
      c: 'x_y_2_2',
    });
  });

  it('of a result without its call directly before are its own', () => {
    assert.deepEqual(ids(message(['call', 'a', 'x']), message(['call', 'b', 'y']), message(['result', 'r', 'x'])), {
      a: 'x',
      b: 'y',
      r: 'x_2',
    });
  });
});
