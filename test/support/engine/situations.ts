import type { Situation } from '../../../src/engine/request/layout/situation.js';
import type { RecordedChat } from './requests.js';

/** The situation in which a chat goes on `idleMs` after its last request. All that it held may stay. */
export function situationAfter(chat: RecordedChat, idleMs: number): Situation {
  const situation = chat.situation();
  return { ...situation, idleMs, staying: new Set(situation.last?.blocks.flatMap(({ item }) => item ?? [])) };
}
