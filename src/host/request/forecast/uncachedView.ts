import type { ChatState } from '../../../engine/chat/state.js';
import { cacheWay, type LastRead, uncachedReason, type UncachedRequest } from '../../../engine/next/uncachedReason.js';
import { isRead, lastAttempt } from '../../../engine/request/base.js';
import { manifestContentOf } from '../../../engine/request/rebuild.js';
import type { UncachedView } from '../../../protocol/uncached.js';

type RecordedChat = Pick<ChatState, 'config' | 'timeline' | 'runs' | 'attempts'>;

/** Returns why the next request reads little from the cache, and what helps. Null if it reads what it can. */
export function uncachedView(request: UncachedRequest, state: RecordedChat): UncachedView | null {
  const reason = uncachedReason(request, state.config, () => lastRead(state));
  return reason === null ? null : { reason, way: cacheWay(reason, request, state.config) };
}

function lastRead(state: RecordedChat): LastRead | null {
  const last = lastAttempt(state, isRead);
  return last === null ? null : { layout: last.manifest.layout, content: manifestContentOf(last, state.attempts) };
}
