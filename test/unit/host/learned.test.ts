import assert from 'node:assert/strict';
import { modelKey, type ModelRef } from '../../../src/engine/model/modelRef.js';
import { UNCALIBRATED } from '../../../src/engine/tokens/calibration.js';
import { joinLessons, lessonOf, LESSON_HOLDS_MS, NO_LESSON, type Lesson } from '../../../src/engine/chat/lesson.js';
import { ModelLearning } from '../../../src/engine/next/learned.js';
import { attemptEnded, EMPTY_MANIFEST, errorRecord, usage } from '../../support/engine/events.js';
import { OPEN_MODEL, STRICT_MODEL } from '../../support/engine/models.js';

const { ref } = OPEN_MODEL;
const NOW = { now: () => 100 };
const manifest = { ...EMPTY_MANIFEST, size: { tokens: 1_000, counted: 1_000, basis: 'estimate', error: null } } as const;

/** The lesson of an attempt that ended at this time. Its request counted as 1,000 tokens. */
function reported(id: string, at: number, tokens: number): Lesson {
  return lessonOf({ id, manifest, end: { ...attemptEnded('r', id, 'complete'), at, usage: usage(tokens, 0, 0, 1) } });
}

function overflowed(id: string, at: number, inputLimit: number): Lesson {
  const error = { ...errorRecord('Too long.'), kind: 'contextOverflow', inputLimit } as const;
  return lessonOf({ id, manifest, end: { ...attemptEnded('r', id, 'failed'), at, error } });
}

function taught(model: ModelRef, ...lessons: Lesson[]): ReadonlyMap<string, Lesson> {
  return new Map([[modelKey(model), lessons.reduce(joinLessons, NO_LESSON)]]);
}

describe('what the open chats teach', () => {
  it('is nothing before the first', () => {
    const learned = new ModelLearning(NOW);
    assert.deepEqual([learned.calibration(ref), learned.inputLimit(ref)], [UNCALIBRATED, null]);
    assert.equal(learned.taught(OPEN_MODEL), OPEN_MODEL);
  });

  it('is a calibration for each model', () => {
    const learned = new ModelLearning(NOW);
    learned.take(taught(ref, reported('a', 1, 1_200)));
    learned.take(taught(STRICT_MODEL.ref, reported('b', 1, 1_500)));
    assert.deepEqual([learned.calibration(ref).factor, learned.calibration(STRICT_MODEL.ref).factor], [1.2, 1.5]);
  });

  it('is what all of them teach together, and of each chat what it teaches now', () => {
    const learned = new ModelLearning(NOW);
    learned.take(taught(ref, reported('a', 1, 1_200)));
    assert.equal(learned.calibration(ref).samples, 1);
    learned.take(taught(ref, reported('b', 2, 1_200)));
    assert.equal(learned.calibration(ref).samples, 2);
    learned.take(taught(ref, reported('a', 1, 1_200), reported('c', 3, 1_200)));
    assert.equal(learned.calibration(ref).samples, 3);
  });

  it('is the input limit that a server told, for an hour', () => {
    const clock = { time: 20, now: () => clock.time };
    const learned = new ModelLearning(clock);
    learned.take(taught(ref, overflowed('a', 20, 8_000)));
    clock.time += LESSON_HOLDS_MS;
    assert.equal(learned.inputLimit(ref), 8_000);
    clock.time += 1;
    assert.equal(learned.inputLimit(ref), null);
    assert.equal(learned.taught(OPEN_MODEL), OPEN_MODEL);
  });

  it('is no limit any more when another chat was taken with more', () => {
    const learned = new ModelLearning(NOW);
    learned.take(taught(ref, overflowed('a', 10, 8_000)));
    learned.take(taught(ref, reported('b', 11, 8_001)));
    assert.equal(learned.inputLimit(ref), null);
  });

  it('lowers the limit of a model, or gives it one, and never raises it', () => {
    const learned = new ModelLearning(NOW);
    learned.take(taught(ref, overflowed('a', 1, 8_000)));
    learned.take(taught(STRICT_MODEL.ref, overflowed('b', 1, 4_000)));
    assert.equal(learned.taught(OPEN_MODEL).maxInputTokens, 8_000);
    assert.equal(learned.taught({ ...OPEN_MODEL, maxInputTokens: 7_999 }).maxInputTokens, 7_999);
    assert.equal(learned.taught(STRICT_MODEL).maxInputTokens, 4_000);
  });

  it('is a tool that a server refused, by its name in Loupe, for an hour', () => {
    const clock = { time: 20, now: () => clock.time };
    const learned = new ModelLearning(clock);
    const renamed = { ...manifest, toolNames: [['files.read', 'files_read_1']] } as const;
    const refused = (id: string, at: number, refusedTool: string): Lesson =>
      lessonOf({ id, manifest: renamed, end: { ...attemptEnded('r', id, 'failed'), at, error: { ...errorRecord('No.'), refusedTool } } });
    learned.take(taught(ref, refused('a', 10, 'files_read_1'), refused('b', 20, 'list')));
    learned.take(taught(ref, refused('c', 15, 'list')));
    assert.deepEqual(learned.taught(OPEN_MODEL).refusedTools, ['list', 'files.read']);
    clock.time = 11 + LESSON_HOLDS_MS;
    assert.deepEqual(learned.taught(OPEN_MODEL).refusedTools, ['list']);
    clock.time = 21 + LESSON_HOLDS_MS;
    assert.equal(learned.taught(OPEN_MODEL), OPEN_MODEL);
  });
});
