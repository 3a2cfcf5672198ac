import assert from 'node:assert/strict';
import { modelKey } from '../../../src/engine/chat/config.js';
import { UNCALIBRATED } from '../../../src/engine/tokens/calibration.js';
import { LIMIT_HOLDS_MS, NO_LESSON, type Lesson } from '../../../src/engine/tokens/lesson.js';
import { Learned } from '../../../src/host/chat/learned.js';
import { OPEN_MODEL, STRICT_MODEL } from '../../support/engine/models.js';

const { ref } = OPEN_MODEL;

/** A clock that stands still soon after the attempts. */
const NOW = { now: () => 100 };

function teaching(lesson: Partial<Lesson>): ReadonlyMap<string, Lesson> {
  return new Map([[modelKey(ref), { ...NO_LESSON, ...lesson }]]);
}

function counted(id: string, reported: number): Partial<Lesson> {
  return { samples: [{ id, at: 1, counted: 1_000, reported }] };
}

describe('what the open chats teach', () => {
  it('is nothing before the first', () => {
    const learned = new Learned(NOW);
    assert.deepEqual([learned.calibration(ref), learned.inputLimit(ref)], [UNCALIBRATED, null]);
    assert.equal(learned.withLimit(OPEN_MODEL), OPEN_MODEL);
  });

  it('is what all of them teach together, each as it is now', () => {
    const learned = new Learned(NOW);
    learned.take('one', teaching(counted('a', 1_200)));
    learned.take('two', teaching(counted('b', 1_200)));
    assert.equal(learned.calibration(ref).samples, 2);
    learned.take('two', teaching({}));
    assert.deepEqual([learned.calibration(ref).samples, learned.calibration(STRICT_MODEL.ref).samples], [1, 0]);
  });

  it('is the input limit that a server told, for an hour', () => {
    const clock = { time: 20, now: () => clock.time };
    const learned = new Learned(clock);
    learned.take('one', teaching({ overflow: { at: 20, tokens: 8_000 } }));
    learned.take('two', teaching({ overflow: { at: 10, tokens: 4_000 } }));
    clock.time += LIMIT_HOLDS_MS;
    assert.deepEqual([learned.inputLimit(ref), learned.inputLimit(STRICT_MODEL.ref)], [8_000, null]);
    clock.time += 1;
    assert.equal(learned.withLimit(OPEN_MODEL), OPEN_MODEL);
  });

  it('lowers the limit of a model, or gives it one, and never raises it', () => {
    const learned = new Learned(NOW);
    learned.take('one', teaching({ overflow: { at: 20, tokens: 8_000 } }));
    assert.equal(learned.withLimit({ ...OPEN_MODEL, maxInputTokens: null }).maxInputTokens, 8_000);
    assert.equal(learned.withLimit({ ...OPEN_MODEL, maxInputTokens: 9_000 }).maxInputTokens, 8_000);
    assert.equal(learned.withLimit({ ...OPEN_MODEL, maxInputTokens: 7_999 }).maxInputTokens, 7_999);
  });
});
