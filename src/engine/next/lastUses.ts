import type { AttemptState } from '../chat/slices/attempts.js';
import type { ChatState } from '../chat/state.js';
import { itemKey } from '../record/item.js';
import { lastReplyAttempt } from '../request/base.js';
import { withDifference } from '../record/difference.js';
import type { ContextRecord } from '../record/manifest.js';
import { contextRecordsOf } from '../request/rebuild.js';

/** Maximum number of requests to check, latest first. More would be noticeably slow. */
const MOST_REQUESTS = 50;

/** For each item, the latest request that contained the item. */
export interface LastUses {
  readonly requests: number;
  /** By item key: 0 for the latest request, 1 for the request before. Lacks items that no checked request contained. */
  readonly ago: ReadonlyMap<string, number>;
}

const known = new WeakMap<AttemptState, LastUses>();

/** Returns when the items of a chat were last in a request. Cached per request. */
export function lastUses(state: Pick<ChatState, 'timeline' | 'runs' | 'attempts'>): LastUses {
  const last = lastReplyAttempt(state);
  if (last === null) {
    return { requests: 0, ago: new Map() };
  }
  const uses = known.get(last) ?? read(state.attempts);
  known.set(last, uses);
  return uses;
}

function read(attempts: ChatState['attempts']): LastUses {
  const latest = [...attempts.values()].filter(({ purpose }) => purpose === 'reply').slice(-MOST_REQUESTS);
  const records = new Map<string, readonly ContextRecord[]>();
  const ago = new Map<string, number>();
  for (const [at, attempt] of latest.entries()) {
    const { base, context } = attempt.manifest;
    const before = base === null ? [] : records.get(base);
    const own = before === undefined ? contextRecordsOf(attempt, attempts) : withDifference(before, context);
    if (own !== null) {
      records.set(attempt.id, own);
    }
    for (const { item, leftOut } of own ?? []) {
      if (leftOut === null) {
        ago.set(itemKey(item), latest.length - 1 - at);
      }
    }
  }
  return { requests: latest.length, ago };
}
