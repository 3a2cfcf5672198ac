import type { AttemptState } from '../../engine/chat/slices/attempts.js';
import type { RateLimitView } from '../../protocol/panel/entries.js';
import { rateLimits } from '../../providers/http/rateLimits.js';

/** The reply shows a rate limit when less than this share remains. */
const LOW = 0.2;

export function lowLimits({ end, startedAt }: AttemptState): readonly RateLimitView[] {
  const { limits } = rateLimits(end?.exchange?.response?.headers ?? [], startedAt);
  return limits.filter(({ limit, remaining }) => remaining < limit * LOW);
}
