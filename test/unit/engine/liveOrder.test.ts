import assert from 'node:assert/strict';
import type { ChatEvent } from '../../../src/engine/chat/event.js';
import type { Stamp } from '../../../src/engine/chat/order/stamp.js';
import type { NewEvent } from '../../../src/engine/chat/slices/table.js';
import { LiveOrder } from '../../../src/engine/chat/order/liveOrder.js';
import { runCommitted, runStarted, stamped, title } from '../storage/fixtures.js';

const message = (runId: string | null): NewEvent => ({
  type: 'message',
  runId,
  message: { role: 'user', id: '1-00000000', parts: [], author: null },
});
const reply = (runId: string): NewEvent => ({
  type: 'message',
  runId,
  message: { role: 'assistant', id: '1-00000001', parts: [], attemptId: 'a', cacheControlIndex: null, stopped: false },
});
const progress = (runId: string): NewEvent => ({ type: 'attempt-progress', runId, attemptId: 'a', pieces: [] });
const added: NewEvent = { type: 'context-added', item: { type: 'file', name: 'a', includeMode: 'manual', addedHash: null, given: null } };

function orderAfter(events: readonly ChatEvent[], floor: Stamp | null): LiveOrder {
  const order = new LiveOrder(floor);
  for (const event of events) {
    order.add(event);
  }
  return order;
}

describe('an event that another window wrote', () => {
  /** The log that window `b` reads: a title, then its own run. */
  const known = [
    stamped(title('x'), 2, 'b'),
    stamped(runStarted('r-b'), 5, 'b'),
    stamped(message('r-b'), 6, 'b'),
    stamped(progress('r-b'), 7, 'b'),
  ];

  const cases: readonly [string, NewEvent, number, boolean][] = [
    ['is folded on when it comes after everything', message(null), 8, true],
    ['is folded on when its window knew nothing of what is here, but it touches nothing of that', title('y'), 3, true],
    ['is folded on when it is the first of its kind', added, 1, true],
    ['waits for a new reading when one of its kind stands after it', title('y'), 1, false],
    ['waits for a new reading when it belongs before the conversation that is here', message(null), 3, false],
    ['waits for a new reading when it begins a run before the one that is here', runStarted('r-a'), 4, false],
    ['is folded on when it goes on inside its own run', runCommitted('r-b'), 9, true],
    ['waits for a new reading when it belongs further up in its run', runCommitted('r-b'), 6, false],
  ];
  for (const [name, draft, seq, expected] of cases) {
    it(name, () => {
      assert.equal(orderAfter(known, null).add(stamped(draft, seq, 'a')), expected);
    });
  }

  it('is folded on when it is the text, or a message, of a run that began before one that is here', () => {
    const order = orderAfter([stamped(runStarted('r-a'), 4, 'a'), ...known.slice(1)], null);
    assert.equal(order.add(stamped(progress('r-a'), 6, 'a')), true);
    assert.equal(order.add(stamped(reply('r-a'), 7, 'a')), true);
  });

  it('waits for a new reading when it is a message of a run that was taken for dead, and the chat has gone on since', () => {
    const dead = [
      stamped(runStarted('r-a'), 4, 'a'),
      stamped(progress('r-a'), 5, 'a'),
      stamped({ type: 'run-interrupted', runId: 'r-a' }, 6, 'b'),
    ];
    assert.equal(orderAfter(dead, null).add(stamped(reply('r-a'), 7, 'a')), true);
    const order = orderAfter([...dead, stamped({ type: 'rewound', rewindId: 'w', to: null, reason: 'edited' }, 7, 'b')], null);
    assert.equal(order.add(stamped(progress('r-a'), 8, 'a')), true, 'what is told of the run alone');
    assert.equal(order.add(stamped(reply('r-a'), 9, 'a')), false);
  });

  it('waits for a new reading when it belongs before what was read, though nothing of its kind was', () => {
    const order = orderAfter(known, { seq: 4, writer: 'a' });
    assert.equal(order.add(stamped(added, 4, 'b')), true);
    assert.equal(order.add(stamped({ type: 'config-changed', change: {} }, 3, 'b')), false);
  });

  it('waits for a new reading when it goes on with a run that began before what was read', () => {
    const order = orderAfter(known, { seq: 4, writer: 'a' });
    assert.equal(order.add(stamped(runCommitted('r-before'), 9, 'a')), false);
    assert.equal(order.add(stamped(reply('r-behind'), 10, 'a')), false, 'its message stands further up, or is damaged');
    assert.equal(order.add(stamped(message('r-new'), 11, 'a')), true);
    assert.equal(order.add(stamped(reply('r-new'), 12, 'a')), true);
  });

  it('of the same number is ordered by the writer', () => {
    assert.equal(orderAfter([stamped(title('x'), 2, 'b')], null).add(stamped(title('y'), 2, 'a')), false);
    assert.equal(orderAfter([stamped(title('x'), 2, 'b')], null).add(stamped(title('y'), 2, 'c')), true);
  });
});
