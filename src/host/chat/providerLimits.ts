import { modelKey } from '../../engine/model/modelRef.js';
import type { AttemptState } from '../../engine/chat/slices/attempts.js';
import { limitInWords, type RateLimitView } from '../../protocol/panel/rateLimits.js';
import { rateLimits } from '../../providers/http/rateLimits.js';

/** Below this share it is worth showing with the reply. */
const LOW = 0.2;

/** Without a time at which it is there again, what was left is soon not true: limits are counted by the minute. */
const TRUE_FOR_MS = 60_000;

/** What the provider said that it still allows, in the head of its response. */
function limitsOf({ end, startedAt }: AttemptState): readonly RateLimitView[] {
  return rateLimits(end?.exchange?.response?.headers ?? [], startedAt);
}

/** What the provider said is running low. */
export function lowLimits(attempt: AttemptState): readonly RateLimitView[] {
  return limitsOf(attempt).filter(({ limit, remaining }) => remaining < limit * LOW);
}

/** What is known now of each model, by key: from its latest request, until all is there again. */
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

/** `limitsNow` in words, of the models of which something is known. */
export function limitsInWords(attempts: Iterable<AttemptState>, now: number): ReadonlyMap<string, string> {
  const known = [...limitsNow(attempts, now)].filter(([, limits]) => limits.length > 0);
  return new Map(known.map(([key, limits]) => [key, limits.flatMap((limit) => limitInWords(limit, (at) => TIME.format(at))).join(', ')]));
}
