import assert from 'node:assert/strict';
import { logOrder } from '../../../src/engine/chat/order/order.js';
import { runCommitted, runStarted, stamped, title } from './fixtures.js';

function names(events: ReturnType<typeof logOrder>): string {
  return events.map(({ seq, writer }) => `${String(seq)}${writer}`).join(' ');
}

describe('the order of a log', () => {
  it('is by sequence number, never by time', () => {
    const late = { ...stamped(title('late'), 2, 'a'), at: 1 };
    assert.equal(names(logOrder([late, stamped(title('early'), 1, 'a')])), '1a 2a');
  });

  it('is by writer where sequence numbers are equal', () => {
    assert.equal(names(logOrder([stamped(title('x'), 1, 'b'), stamped(title('y'), 1, 'a')])), '1a 1b');
  });

  it('keeps runs that were open at the same time apart, in the order of their starts', () => {
    const events = [
      stamped(runStarted('r-b'), 2, 'b'),
      stamped(runStarted('r-a'), 1, 'a'),
      stamped(runCommitted('r-a'), 4, 'a'),
      stamped(runCommitted('r-b'), 3, 'b'),
    ];
    assert.equal(names(logOrder(events)), '1a 4a 2b 3b');
  });

  it('lets no event from outside a run come between the events of one', () => {
    const events = [stamped(runStarted('r'), 1, 'a'), stamped(title('x'), 2, 'b'), stamped(runCommitted('r'), 3, 'a')];
    assert.equal(names(logOrder(events)), '1a 3a 2b');
  });

  it('counts the end that another window wrote to the run', () => {
    const events = [
      stamped({ type: 'run-interrupted', runId: 'r' }, 9, 'b'),
      stamped(title('x'), 5, 'b'),
      stamped(runStarted('r'), 1, 'a'),
    ];
    assert.equal(names(logOrder(events)), '1a 9b 5b');
  });

  it('leaves its argument as it was', () => {
    const events = [stamped(title('x'), 2, 'a'), stamped(title('y'), 1, 'a')];
    logOrder(events);
    assert.equal(names(events), '2a 1a');
  });
});
