import assert from 'node:assert/strict';
import type { ArrangeInput } from '../../../src/engine/request/arrange.js';
import { BlockFactory } from '../../../src/engine/request/blockFactory.js';
import { promptBlocks } from '../../../src/engine/model/prompt.js';
import { toolMemoryOf } from '../../../src/engine/request/toolMemory.js';
import { LastArrangement } from '../../../src/host/request/compose/lastArrangement.js';
import { assistant, call, result, results, user } from '../../support/engine/messages.js';
import { characters, sha256 } from '../../support/engine/ports.js';
import { PLAIN } from '../../support/engine/requests.js';

describe('the last arrangement of a chat', () => {
  const factory = new BlockFactory(characters, sha256);

  /** The block keys of each request. They are composed one after the other. */
  function keysOf(...inputs: (() => Partial<ArrangeInput>)[]): readonly (readonly string[])[] {
    const arrangements = new LastArrangement();
    return inputs.map((input) => {
      const { prompt } = arrangements.of({ ...PLAIN, ...input() }, factory);
      return promptBlocks(prompt).flatMap(({ key, category }) => (category === 'conversation' ? [key] : []));
    });
  }

  it('is not kept when a message was pinned since, whose calls it forgets', () => {
    const pinned = new Set<string>();
    const said = [user('u', 'Read'), assistant('a', call('c', {})), results('r', result('c')), assistant('b', 'Read.')];
    const typed = (text: string) => (): Partial<ArrangeInput> => ({
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

  it('is made anew where its newest message is one that the user excluded', () => {
    const input = (): Partial<ArrangeInput> => ({
      messages: [user('u', 'Hello')],
      excluded: { messages: new Map([['u', { turn: 'u', removal: 'later' }]]), calls: new Map() },
    });
    assert.deepEqual(keysOf(input, input), [[], []]);
  });

  it('is made again where its layout puts something after the newest message', () => {
    const { layout } = PLAIN;
    const lay: ArrangeInput['layout']['lay'] = (groups, context) => {
      const ordered = layout.lay(groups, context);
      return { ...ordered, messages: ordered.messages.toReversed() };
    };
    const said = [user('u', 'Hello'), assistant('a', 'Hi')];
    const typed = (text: string) => (): Partial<ArrangeInput> => ({
      messages: [...said, user('draft', text)],
      layout: { ...layout, lay },
    });
    const [before, after] = keysOf(typed('x'), typed('xy'));
    assert.deepEqual(before, ['message:draft/0', 'message:a/0', 'message:u/0']);
    assert.deepEqual(after, before);
  });
});
