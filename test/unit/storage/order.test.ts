import assert from 'node:assert/strict';
import { LogOrder, logOrder } from '../../../src/engine/chat/order.js';
import { runCommitted, runStarted, stamped, title } from './fixtures.js';

/** The order of events as `<seq><writer>`. */
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
    const events = [
      stamped(runStarted('r'), 1, 'a'),
      stamped(title('x'), 2, 'b'),
      stamped(runCommitted('r'), 3, 'a'),
    ];
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

describe('a new event in a log', () => {
  const start = [
    stamped(title('x'), 1, 'a'),
    stamped(runStarted('r'), 2, 'a'),
    stamped(title('y'), 4, 'a'),
  ];

  it('goes to the end when it comes after all', () => {
    const order = new LogOrder(start);
    assert.equal(order.add(stamped(title('z'), 5, 'a')), 3);
    assert.equal(order.size, 4);
    assert.equal(names(order.events()), '1a 2a 4a 5a');
  });

  it('goes to the end of its run, and tells from where the log changed', () => {
    const order = new LogOrder(start);
    assert.equal(order.add(stamped(runCommitted('r'), 5, 'a')), 2);
    assert.equal(names(order.events()), '1a 2a 5a 4a');
  });

  it('goes to the end with its run when that is the last', () => {
    const order = new LogOrder(start.slice(0, 2));
    assert.equal(order.add(stamped(runCommitted('r'), 5, 'a')), 2);
  });

  it('goes between others when another window wrote it before them', () => {
    const order = new LogOrder(start);
    assert.equal(order.add(stamped(title('z'), 1, 'b')), 1);
    assert.equal(names(order.events()), '1a 1b 2a 4a');
  });

  it('moves its run when it turns out to be its first', () => {
    const order = new LogOrder([stamped(title('x'), 5, 'b'), stamped({ type: 'run-interrupted', runId: 'r' }, 9, 'b')]);
    assert.equal(order.add(stamped(runStarted('r'), 1, 'a')), 0);
    assert.equal(names(order.events()), '1a 9b 5b');
  });

  it('costs the same at the end of a long log as of a short one', () => {
    // Steps are counted, not timed: each look at an event's `seq` is one.
    const looks = (length: number): number => {
      const order = new LogOrder(Array.from({ length }, (_, index) => stamped(title('x'), index + 1, 'a')));
      let count = 0;
      const event = stamped(title('z'), length + 1, 'a');
      const watched = Object.defineProperty({ ...event }, 'seq', {
        get() {
          count += 1;
          return event.seq;
        },
      });
      order.add(watched);
      return count;
    };
    assert.equal(looks(10_000), looks(1));
  });
});
