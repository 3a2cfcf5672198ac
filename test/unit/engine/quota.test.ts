import assert from 'node:assert/strict';
import type { LimitReading } from '../../../src/engine/model/rateLimit.js';
import { limitsAt, withReadings } from '../../../src/engine/spend/quota.js';
import { column } from '../../support/columns.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function reading(at: number, remaining: number, changed: Partial<LimitReading>): LimitReading {
  return { of: 'tokens', limit: 1_000, remaining, resetsAt: 10 * HOUR, at, ...changed };
}

function emptyAt(...readings: readonly LimitReading[]): number | null | undefined {
  const kept = readings.reduce<readonly LimitReading[]>((all, each) => withReadings(all, [each], each.at), []);
  return limitsAt(kept, readings.at(-1)?.at ?? 0)[0]?.emptyAt;
}

describe('the limits that a provider reported', () => {
  it('are used up at the rate between the two latest readings', () => {
    assert.equal(emptyAt(reading(0, 800, {}), reading(HOUR, 600, {})), 4 * HOUR);
    assert.equal(
      emptyAt(reading(0, 1_000, {}), reading(HOUR, 900, {}), reading(2 * HOUR, 600, {})),
      4 * HOUR,
      'older readings are not used',
    );
    assert.equal(emptyAt(reading(0, 300, {}), reading(HOUR, 0, {})), HOUR, 'nothing is left already');
  });

  it('have no forecast from one reading, without use, after a reset, or if the reset comes first', () => {
    assert.equal(emptyAt(reading(0, 800, {})), null);
    assert.equal(emptyAt(reading(0, 800, {}), reading(HOUR, 800, {})), null);
    assert.equal(emptyAt(reading(0, 800, {}), reading(HOUR, 900, {})), null);
    assert.equal(emptyAt(reading(0, 800, { resetsAt: MINUTE }), reading(HOUR, 600, {})), null);
    assert.equal(emptyAt(reading(0, 800, { limit: 2_000 }), reading(HOUR, 600, {})), null, 'the limit itself was changed');
    assert.equal(emptyAt(reading(0, 1_000, {}), reading(HOUR, 990, {})), null);
  });

  it('are each what the latest reading says, and end with their reset', () => {
    const day = reading(0, 5, { per: 'day', of: 'requests', resetsAt: null });
    const kept = withReadings(withReadings([], [reading(0, 800, {}), day], 0), [reading(HOUR, 600, {})], HOUR);
    assert.deepEqual(column(limitsAt(kept, HOUR), 'remaining'), [600], 'a limit without a reset time ends after a minute');
    assert.deepEqual(column(limitsAt(kept, 10 * HOUR), 'remaining'), []);
    assert.deepEqual(column(limitsAt([day], MINUTE - 1), 'per'), ['day']);
  });

  it('are the latest readings, in whatever order the responses arrive', () => {
    const all = [reading(0, 900, {}), reading(MINUTE, 700, {}), reading(HOUR, 600, {})];
    for (const [a, b, c] of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
    ] as const) {
      const kept = [a, b, c, a].reduce<readonly LimitReading[]>((known, at) => withReadings(known, [all[at] ?? assert.fail()], HOUR), []);
      assert.deepEqual(column(kept, 'remaining'), [700, 600]);
    }
  });

  it('forget what was read before the clock was set back', () => {
    const kept = withReadings([reading(5 * HOUR, 100, {})], [reading(HOUR, 700, {})], HOUR);
    assert.deepEqual(column(kept, 'remaining'), [700]);
    assert.deepEqual(limitsAt([reading(5 * HOUR, 100, {})], HOUR), [], 'a reading from the future says nothing');
  });
});
