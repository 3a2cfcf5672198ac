import { joinLessons, lessonOf, NO_LESSON, type Lesson } from '../lesson.js';
import { modelKey } from '../../model/modelRef.js';
import type { AttemptEnded, AttemptsState } from './attempts.js';
import type { Slice } from './slice.js';

export interface LessonsState {
  /** Lessons by model key. */
  readonly lessons: ReadonlyMap<string, Lesson>;
}

/** What Loupe learns about models from the attempts of a chat, such as the error of token counts. */
export const lessons: Slice<{
  state: LessonsState;
  event: never;
  json: readonly (readonly [model: string, lesson: Lesson])[];
  reads: LessonsState & AttemptsState;
  follows: AttemptEnded;
}> = {
  initial: () => ({ lessons: new Map() }),
  events: {},
  follows: {
    'attempt-ended': (state, { attemptId }) => {
      const attempt = state.attempts.get(attemptId);
      if (attempt !== undefined) {
        const key = modelKey(attempt.model);
        state.lessons.set(key, joinLessons(state.lessons.get(key) ?? NO_LESSON, lessonOf(attempt)));
      }
    },
  },
  snapshot: (state) => [...state.lessons],
  restore: (json) => ({ lessons: new Map(json) }),
  exported: () => [],
  // Lessons belong to the chat that made the attempts.
  fork: () => [],
  isUntouched: () => true,
};
