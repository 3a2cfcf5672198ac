import { modelKey } from '../../engine/model/modelRef.js';
import type { AttemptState } from '../../engine/chat/slices/attempts.js';
import { limitInWords, type RateLimitView } from '../../protocol/panel/entries.js';
import { rateLimits } from '../../providers/http/rateLimits.js';

/** The reply shows a rate limit when less than this share remains. */
const LOW = 0.2;

/** Time in ms for which a rate limit without a reset time is shown. Providers usually limit the use per minute. */
const TRUE_FOR_MS = 60_000;

function limitsOf({ end, startedAt }: AttemptState): readonly RateLimitView[] {
  return rateLimits(end?.exchange?.response?.headers ?? [], startedAt);
}

export function lowLimits(attempt: AttemptState): readonly RateLimitView[] {
  return limitsOf(attempt).filter(({ limit, remaining }) => remaining < limit * LOW);
}

/** Returns the rate limits from the latest request of each model, by model key. A limit is omitted after its reset. */
export function limitsNow(attempts: Iterable<AttemptState>, now: number): ReadonlyMap<string, readonly RateLimitView[]> {
  const latest = new Map<string, AttemptState>();
  for (const attempt of attempts) {
    const key = modelKey(attempt.model);
    if (attempt.end !== null && (latest.get(key)?.startedAt ?? 0) <= attempt.startedAt) {
      latest.set(key, attempt);
    }
  }
  return new Map(
    [...latest].map(([key, attempt]) => [
      key,
      limitsOf(attempt).filter(({ resetsAt }) => (resetsAt ?? attempt.startedAt + TRUE_FOR_MS) > now),
    ]),
  );
}

const TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** Returns the limits of `limitsNow` as text. Models without known limits are omitted. */
export function limitsInWords(attempts: Iterable<AttemptState>, now: number): ReadonlyMap<string, string> {
  const known = [...limitsNow(attempts, now)].filter(([, limits]) => limits.length > 0);
  return new Map(known.map(([key, limits]) => [key, limits.flatMap((limit) => limitInWords(limit, (at) => TIME.format(at))).join(', ')]));
}
