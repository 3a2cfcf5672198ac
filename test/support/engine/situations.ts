import type { Situation } from '../../../src/engine/request/layout/situation.js';
import { manifestBlocksOf } from '../../../src/engine/request/rebuild.js';
import type { RecordedChat, Sent } from './requests.js';

/** The situation in which a chat goes on after a request, `idleMs` later. What was recorded went through JSON. */
export function situationAfter({ attempt, prompt }: Sent, chat: RecordedChat, idleMs: number): Situation {
  const parts = new Map([...prompt.system, ...prompt.messages.flatMap(({ blocks }) => blocks)].map(({ key, part }) => [key, part]));
  const blocks = (manifestBlocksOf(attempt, chat.attempts) ?? []).map((block) => ({
    ...block,
    part: block.item === null ? null : (parts.get(block.key) ?? null),
  }));
  const { marks, ordinal } = attempt.manifest;
  const staying = new Set(blocks.flatMap(({ item }) => item ?? []));
  return { last: { blocks, marks, ordinal, isSameModel: true }, idleMs, pauses: [], staying };
}
