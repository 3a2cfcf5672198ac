import { recordedTurns, type RecordedTurn } from '../accounting/turnBand.js';
import { recordedRequests, type RecordedRequest } from '../cacheMonitor/recordedRequests.js';
import type { Lesson } from '../chat/lesson.js';
import type { ChatState } from '../chat/state.js';

/** What a chat teaches about models. Plain JSON, so that Loupe need not read the log of a closed chat again. */
export interface LearnedChat {
  readonly lessons: readonly (readonly [model: string, Lesson])[];
  readonly turns: readonly RecordedTurn[];
  readonly requests: readonly (readonly [model: string, readonly RecordedRequest[]])[];
}

export function learnedChat(state: ChatState): LearnedChat {
  return { lessons: [...state.lessons], turns: recordedTurns(state), requests: [...recordedRequests(state)] };
}
