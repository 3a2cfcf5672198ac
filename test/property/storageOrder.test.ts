import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type ChatEvent, runOf } from '../../src/engine/chat/event.js';
import { logOrder } from '../../src/engine/chat/order/order.js';
import { runCommitted, stamped, title } from '../unit/storage/fixtures.js';
import { forAll } from '../support/forAll.js';

/** The slow definition: sorts by the name of the group, then by the event's name. */
function oracle(events: readonly ChatEvent[]): ChatEvent[] {
  const name = (event: ChatEvent): string => `${String(event.seq).padStart(6, '0')}${event.writer}`;
  const groupName = (event: ChatEvent): string => {
    const runId = runOf(event);
    const group = runId === null ? [event] : events.filter((other) => runOf(other) === runId);
    return group.map(name).sort()[0]!;
  };
  const key = (event: ChatEvent): string => `${groupName(event)} ${name(event)}`;
  return [...events].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** One writer's events: growing times, inside and outside of runs. Other writers take part in some of the runs. */
function segment(writer: string): fc.Arbitrary<ChatEvent[]> {
  const step = fc.record({ gap: fc.integer({ min: 1, max: 3 }), run: fc.option(fc.constantFrom('r1', 'r2', 'r3')) });
  return fc.array(step, { maxLength: 12 }).map((steps) => {
    let seq = 0;
    return steps.map(({ gap, run }) => {
      seq += gap;
      return stamped(run === null ? title('x') : runCommitted(run), seq, writer);
    });
  });
}

/** All events in any order of arrival that keeps each writer's order. */
const arrival: fc.Arbitrary<ChatEvent[]> = fc
  .tuple(segment('a'), segment('b'), segment('c'), fc.infiniteStream(fc.nat()))
  .map(([a, b, c, choices]) => {
    const waiting = [[...a], [...b], [...c]];
    const arrived: ChatEvent[] = [];
    for (const choice of choices) {
      const rest = waiting.filter((events) => events.length > 0);
      const next = rest[choice % rest.length]?.shift();
      if (next === undefined) {
        break;
      }
      arrived.push(next);
    }
    return arrived;
  });

describe('the order of a log, for any segments', () => {
  it('is the one that its definition gives', () => {
    forAll(arrival, (events) => {
      assert.deepEqual(logOrder(events), oracle(events));
    });
  });

  it('does not depend on the order in which the events were found', () => {
    const shuffled = arrival.chain((events) => fc.tuple(fc.constant(events), fc.shuffledSubarray(events, { minLength: events.length })));
    forAll(shuffled, ([events, others]) => {
      assert.deepEqual(logOrder(others), logOrder(events));
    });
  });
});
