import assert from 'node:assert/strict';
import { turnMap } from '../../../src/engine/chat/turns.js';
import { assistant, call, result, results, user } from '../../support/engine/messages.js';

const uses = (id: string) => assistant(id, call(`c-${id}`, {}));
const answers = (id: string) => results(`r-${id}`, result(`c-${id}`));
const concludes = (id: string) => assistant(id, 'Done.');

describe('the turns of a conversation', () => {
  it('each end with an assistant message without tool calls', () => {
    const said = [user('u'), uses('a'), answers('a'), uses('b'), answers('b'), concludes('c'), user('v'), concludes('d'), user('w')];
    assert.deepEqual(turnMap(said), { turns: [0, 0, 0, 0, 0, 0, 1, 1, 2], current: 2, hasToolsInCurrentTurn: false });
  });

  it('are not opened by messages of the user, however many there are', () => {
    assert.deepEqual(turnMap([user('u'), user('v'), uses('a'), answers('a'), user('w'), uses('b'), answers('b'), user('x')]), {
      turns: [0, 0, 0, 0, 0, 0, 0, 0],
      current: 0,
      hasToolsInCurrentTurn: false,
    });
  });

  it('end without tools, too', () => {
    assert.equal(turnMap([user('u'), concludes('a'), user('v'), concludes('b')]).current, 2);
  });

  it("have messages of the user reset the 'hasToolsInCurrentTurn' flag but preserve turn counting", () => {
    const before = [user('u'), concludes('a'), user('v'), uses('b'), answers('b')];
    assert.deepEqual([turnMap(before).hasToolsInCurrentTurn, turnMap(before).current], [true, 1]);
    const after = [...before, user('w')];
    assert.deepEqual([turnMap(after).hasToolsInCurrentTurn, turnMap(after).current], [false, 1]);
    assert.deepEqual(turnMap([...after, uses('c')]), { turns: [0, 0, 1, 1, 1, 1, 1], current: 1, hasToolsInCurrentTurn: true });
  });

  it('are none before the first message', () => {
    assert.deepEqual(turnMap([]), { turns: [], current: 0, hasToolsInCurrentTurn: false });
  });
});
