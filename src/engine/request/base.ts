import type { AttemptState } from '../chat/slices/attempts.js';
import type { ChatState } from '../chat/state.js';
import type { TimelineItem } from '../chat/timeline.js';
import type { Score } from '../context/rank/lexical.js';
import { itemKey } from '../record/item.js';
import { wasAnswered } from './pastRequest.js';
import type { ContextRecord } from '../record/manifest.js';
import type { FrozenBreakpoints } from './placeBreakpoints.js';
import type { ManifestBase } from './record.js';
import { contextRecordsOf, manifestBlocksOf, manifestChain, manifestContentOf } from './rebuild.js';

type Branch = Pick<ChatState, 'timeline' | 'runs' | 'attempts'>;

/** Returns the latest reply attempt on the branch, failed or not, or null. Titles and summaries are ignored. */
export function lastReplyAttempt(state: Branch): AttemptState | null {
  return lastAttempt(state, () => true);
}

export function lastAttempt(state: Branch, isMeant: (attempt: AttemptState) => boolean): AttemptState | null {
  const { timeline, attempts } = state;
  for (let at = timeline.length - 1; at >= 0; at -= 1) {
    const ids = attemptIdsOf(timeline[at], state);
    const found = ids.map((id) => attempts.get(id)).findLast((attempt) => attempt?.purpose === 'reply' && isMeant(attempt));
    if (found !== undefined) {
      return found;
    }
  }
  return null;
}

/** Whether the provider has read a request or reads it now. Failed attempts leave no cache entry. */
export function isRead(attempt: AttemptState): boolean {
  return attempt.end === null || wasAnswered(attempt);
}

/** Returns the attempts of a run, or of a reply's run. Empty for a user message: its runs can be on another branch. */
function attemptIdsOf(item: TimelineItem | undefined, { runs }: Branch): readonly string[] {
  if (item?.kind === 'run') {
    return runs.get(item.runId)?.attemptIds ?? [];
  }
  if (item?.message.role !== 'assistant') {
    return [];
  }
  const { message, runId } = item;
  return (runId === null ? undefined : runs.get(runId)?.attemptIds) ?? [message.attemptId];
}

export function manifestBase(state: Branch): ManifestBase | null {
  const last = lastReplyAttempt(state);
  if (last === null) {
    return null;
  }
  const { attempts } = state;
  const depth = manifestChain(last, attempts)?.length ?? 0;
  return { attemptId: last.id, ordinal: last.manifest.ordinal, depth, content: manifestContentOf(last, attempts) };
}

/** Returns the context records of the last reply request. Empty if no such request or no readable record exists. */
export function lastRecords(state: Branch): readonly ContextRecord[] {
  const last = lastReplyAttempt(state);
  return (last === null ? null : contextRecordsOf(last, state.attempts)) ?? [];
}

/** Returns the catalog items that were picked for the last reply request, with their scores. */
export function lastPicks(state: Branch): readonly Score[] {
  return lastRecords(state).flatMap(({ item, leftOut }) =>
    leftOut === null && item.similarityScore !== undefined ? [{ key: itemKey(item), score: item.similarityScore }] : [],
  );
}

/** Returns the breakpoints of the last reply request. Empty if no such request or no readable record exists. */
export function lastBreakpoints(state: Branch): FrozenBreakpoints {
  const last = lastReplyAttempt(state);
  const blocks = last === null ? null : manifestBlocksOf(last, state.attempts);
  const breakpoints = last?.manifest.marks ?? [];
  return new Map(breakpoints.flatMap(({ at, ttl }) => (blocks?.[at] === undefined ? [] : [[blocks[at].key, { ttl }] as const])));
}
