import assert from 'node:assert/strict';
import type { AttemptState } from '../../../src/engine/chat/slices/attempts.js';
import { calibrate, CALIBRATION_WINDOW, type Calibration } from '../../../src/engine/tokens/calibration.js';
import { joinLessons, learnedLimit, lessonOf, LESSON_HOLDS_MS, NO_LESSON, type Lesson } from '../../../src/engine/chat/lesson.js';
import type { RequestSize } from '../../../src/engine/record/requestSize.js';
import type { Usage } from '../../../src/engine/model/usage.js';
import { attemptEnded, EMPTY_MANIFEST, errorRecord, usage } from '../../support/engine/events.js';

const ESTIMATE: RequestSize = { tokens: 1_200, counted: 1_000, basis: 'estimate', error: null };

function calibrationOf({ samples }: Lesson): Calibration {
  return calibrate(samples);
}

type Taught = Pick<AttemptState, 'id' | 'manifest' | 'end'>;

/** An attempt that ended at this time. Its request counted as 1,000 tokens. */
function attempt(id: string, at: number, used: Usage | null): Taught {
  return { id, manifest: { ...EMPTY_MANIFEST, size: ESTIMATE }, end: { ...attemptEnded('r', id, 'complete'), at, usage: used } };
}

function reported(id: string, at: number, tokens: number): Lesson {
  return lessonOf(attempt(id, at, usage(tokens, 0, 0, 1)));
}

function overflowed(id: string, at: number, inputLimit: number | null): Lesson {
  const made = attempt(id, at, null);
  const error = { ...errorRecord('Too long.'), kind: 'contextOverflow', inputLimit } as const;
  return lessonOf({ ...made, end: { ...made.end!, outcome: 'failed', error } });
}

const joined = (...lessons: Lesson[]): Lesson => lessons.reduce(joinLessons, NO_LESSON);

describe('what an attempt teaches', () => {
  it('is what was counted, uncorrected, beside the whole input that the provider reported', () => {
    const { samples, taken } = lessonOf(attempt('a', 7, usage(1, 20, 100, 9)));
    assert.deepEqual([samples, taken], [[{ id: 'a', at: 7, counted: 1_000, reported: 121 }], [{ at: 7, tokens: 121 }]]);
  });

  it('is nothing while it runs, when it was counted exactly, or when its input is not wholly reported', () => {
    const estimated = { value: 1, source: 'estimated' } as const;
    const exact = {
      ...attempt('a', 1, usage(1, 2, 3, 4)),
      manifest: { ...EMPTY_MANIFEST, size: { ...ESTIMATE, basis: 'exact' as const } },
    };
    const none = [
      exact,
      { ...attempt('a', 1, null), end: null },
      attempt('a', 1, null),
      attempt('a', 1, { ...usage(1, 2, 3, 4), promptTokens: estimated }),
      attempt('a', 1, { ...usage(1, 2, 3, 4), cacheReadInputTokens: estimated }),
      attempt('a', 1, { ...usage(1, 2, 3, 4), cacheReadInputTokens: null }),
    ];
    assert.deepEqual(
      none.map((each) => lessonOf(each).samples),
      none.map(() => []),
    );
  });
});

describe('lessons about a model', () => {
  it('do not depend on the order in which they are joined, nor on how often', () => {
    const all = Array.from({ length: 3 * CALIBRATION_WINDOW }, (_, at) => reported(`a${String(at).padStart(3, '0')}`, at, 1_000 + at));
    const once = joined(...all);
    assert.deepEqual(joined(...all.toReversed()), once);
    assert.deepEqual(joined(...all, ...all.slice(-5)), once);
  });

  it('go by the attempts that ended last', () => {
    const early = Array.from({ length: CALIBRATION_WINDOW }, (_, at) => reported(`e${at}`, at, 1_100));
    const late = Array.from({ length: CALIBRATION_WINDOW }, (_, at) => reported(`l${at}`, 1_000 + at, 2_000));
    assert.equal(calibrationOf(joined(...late, ...early)).factor, 2);
  });
});

describe('the input limit that a server told', () => {
  it('is the latest', () => {
    assert.equal(learnedLimit(joined(overflowed('a', 1, 9_000), overflowed('b', 2, 8_000)), 100), 8_000);
    assert.equal(learnedLimit(joined(overflowed('b', 2, 8_000), overflowed('a', 1, 9_000)), 100), 8_000);
  });

  it('is none when no server told one, or told that it takes nothing at all', () => {
    assert.equal(learnedLimit(joined(overflowed('a', 1, null), overflowed('b', 2, 0)), 100), null);
  });

  it('holds for an hour', () => {
    const lesson = overflowed('a', 1, 8_000);
    assert.deepEqual([learnedLimit(lesson, 1 + LESSON_HOLDS_MS), learnedLimit(lesson, 2 + LESSON_HOLDS_MS)], [8_000, null]);
  });

  it('is over when a later request was taken with more, not when an earlier one was', () => {
    const limit = overflowed('a', 10, 8_000);
    assert.equal(learnedLimit(joined(limit, reported('b', 11, 9_000)), 100), null);
    assert.equal(learnedLimit(joined(limit, reported('b', 9, 9_000)), 100), 8_000);
    assert.equal(learnedLimit(joined(limit, reported('b', 11, 9_000), reported('c', 12, 10)), 100), null);
  });
});
