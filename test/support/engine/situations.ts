import type { Situation } from '../../../src/engine/request/layout/situation.js';
import type { RecordedChat } from './requests.js';

/** The situation `idleMs` after the last request. All its content is still valid. */
export function situationAfter(chat: RecordedChat, idleMs: number): Situation {
  const situation = chat.situation(idleMs);
  return { ...situation, staying: new Set(situation.last?.blocks.flatMap(({ item }) => item ?? [])) };
}
