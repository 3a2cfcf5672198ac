import assert from 'node:assert/strict';
import type { AttemptState } from '../../../src/engine/chat/slices/attempts.js';
import { CALIBRATION_WINDOW, UNCALIBRATED } from '../../../src/engine/tokens/calibration.js';
import { Learned, LIMIT_HOLDS_MS } from '../../../src/host/chat/learned.js';
import { attemptEnded, attemptStarted, EMPTY_MANIFEST, errorRecord, usage } from '../../support/engine/events.js';
import { OPEN_MODEL, STRICT_MODEL } from '../../support/engine/models.js';

const { ref } = OPEN_MODEL;

/** A clock that stands still soon after the attempts. */
const NOW = { now: () => 100 };

/** An attempt that ended at this time, its request counted as 1,000 tokens. */
function attempt(id: string, at: number): AttemptState {
  const { runId, purpose, model, protocol } = attemptStarted('r', id);
  const manifest = { ...EMPTY_MANIFEST, size: { tokens: 1_000, counted: 1_000, basis: 'estimate', error: null } } as const;
  const end = { ...attemptEnded('r', id, 'complete'), at };
  return { id, runId, purpose, model, protocol, manifest, startedAt: 0, reply: [], end };
}

function reported(id: string, at: number, tokens: number): AttemptState {
  const made = attempt(id, at);
  return { ...made, end: { ...made.end!, usage: usage(tokens, 0, 0, 1) } };
}

function overflowed(id: string, at: number, inputLimit: number | null): AttemptState {
  const made = attempt(id, at);
  const error = { ...errorRecord('Too long.'), kind: 'contextOverflow', inputLimit } as const;
  return { ...made, end: { ...made.end!, outcome: 'failed', error } };
}

describe('what the attempts teach', () => {
  it('is nothing before the first', () => {
    const learned = new Learned(NOW);
    assert.deepEqual([learned.calibration(ref), learned.inputLimit(ref)], [UNCALIBRATED, null]);
    assert.equal(learned.withLimit(OPEN_MODEL), OPEN_MODEL);
  });

  it('is a calibration for each model', () => {
    const learned = new Learned(NOW);
    learned.take([reported('a', 1, 1_200), { ...reported('b', 1, 1_500), model: STRICT_MODEL.ref }]);
    assert.deepEqual([learned.calibration(ref).factor, learned.calibration(STRICT_MODEL.ref).factor], [1.2, 1.5]);
  });

  it('does not grow by attempts that are known, or still run', () => {
    const learned = new Learned(NOW);
    learned.take([{ ...attempt('a', 1), end: null }]);
    learned.take([reported('a', 1, 1_200)]);
    learned.take([reported('a', 1, 1_200), { ...attempt('b', 1), end: null }]);
    assert.equal(learned.calibration(ref).samples, 1);
  });

  it('goes by when the attempts ended, whichever chat was opened first', () => {
    const [early, late] = [1_100, 2_000].map((tokens, index) =>
      Array.from({ length: CALIBRATION_WINDOW }, (_, at) => reported(`${tokens} ${at}`, index * 1_000 + at, tokens)),
    );
    const learned = new Learned(NOW);
    learned.take(late!);
    learned.take(early!);
    assert.equal(learned.calibration(ref).factor, 2);
  });

  it('is the input limit that the latest overflow told', () => {
    const learned = new Learned(NOW);
    learned.take([overflowed('b', 20, 8_000), overflowed('a', 10, 4_000), overflowed('c', 30, null), overflowed('d', 40, 0)]);
    assert.deepEqual([learned.inputLimit(ref), learned.inputLimit(STRICT_MODEL.ref)], [8_000, null]);
    learned.take([overflowed('e', 50, 9_000)]);
    assert.equal(learned.inputLimit(ref), 9_000);
  });

  it('is no limit any more after an hour: the server may have been started anew with a larger window', () => {
    const clock = { time: 20, now: () => clock.time };
    const learned = new Learned(clock);
    learned.take([overflowed('a', 20, 8_000)]);
    clock.time += LIMIT_HOLDS_MS;
    assert.equal(learned.inputLimit(ref), 8_000);
    clock.time += 1;
    assert.equal(learned.inputLimit(ref), null);
    assert.equal(learned.withLimit(OPEN_MODEL), OPEN_MODEL);
  });

  it('is no limit any more when a later request was taken with more, in whichever order they are read', () => {
    const overflow = overflowed('a', 10, 8_000);
    const limitAfter = (...attempts: AttemptState[]): (number | null)[] =>
      [attempts, attempts.toReversed()].map((each) => {
        const learned = new Learned(NOW);
        for (const one of each) {
          learned.take([one]);
        }
        learned.take(each);
        return learned.inputLimit(ref);
      });
    assert.deepEqual(limitAfter(overflow, reported('b', 11, 8_001)), [null, null]);
    assert.deepEqual(limitAfter(overflow, reported('b', 11, 8_000)), [8_000, 8_000]);
    assert.deepEqual(limitAfter(overflow, reported('b', 9, 9_000), reported('c', 11, 100)), [8_000, 8_000]);
    assert.deepEqual(limitAfter(overflow, reported('b', 11, 8_001), reported('c', 12, 100)), [null, null]);
    assert.deepEqual(limitAfter(overflow, reported('b', 11, 9_000), overflowed('c', 12, 4_000)), [4_000, 4_000]);
    const estimated = reported('b', 11, 9_000);
    const usageOf = { ...estimated.end!.usage!, promptTokens: { value: 9_000, source: 'estimated' } as const };
    assert.deepEqual(limitAfter(overflow, { ...estimated, end: { ...estimated.end!, usage: usageOf } }), [8_000, 8_000]);
  });

  it('lowers the limit of a model, or gives it one, and never raises it', () => {
    const learned = new Learned(NOW);
    learned.take([overflowed('a', 1, 8_000), { ...overflowed('b', 1, 4_000), model: STRICT_MODEL.ref }]);
    assert.equal(learned.withLimit(OPEN_MODEL).maxInputTokens, 8_000);
    assert.equal(learned.withLimit({ ...OPEN_MODEL, maxInputTokens: 7_999 }).maxInputTokens, 7_999);
    assert.equal(learned.withLimit(STRICT_MODEL).maxInputTokens, 4_000);
  });
});
