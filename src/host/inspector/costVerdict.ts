import { figureValue, inputTokens } from '../../engine/accounting/usage.js';
import { isUnbilled } from '../../engine/accounting/billedUsage.js';
import type { Forecast } from '../../engine/cache/forecast.js';
import type { AttemptState } from '../../engine/chat/slices/attempts.js';
import { percent, price } from '../../protocol/numbers.js';
import type { ChatSession } from '../chat/chatSession.js';
import type { Verdict } from '../../protocol/verdict.js';

const NOTHING_MORE = { details: '', brokenAt: null, hint: null } as const;

/** What a request cost and what share of it the cache served, from its own usage alone. Null while it is being answered. */
function costVerdict(attempt: AttemptState): Verdict | null {
  const { end, isPretended } = attempt;
  if (end === null) {
    return null;
  }
  const { usage, cost } = end;
  const input = usage === null ? null : inputTokens(usage);
  if (usage === null || input === null || input === 0) {
    return { ...NOTHING_MORE, tone: 'plain', cost: 'Cost unknown', reason: 'the provider reported no usage. The tokens are counted here.' };
  }
  const read = figureValue(usage.cacheReadInputTokens) ?? 0;
  const source = usage.promptTokens?.source === 'estimated' ? 'usage as Loupe counts it' : 'usage as reported by the provider';
  return {
    ...NOTHING_MORE,
    tone: read > 0 ? 'good' : 'plain',
    cost: costInWords(cost === null ? null : price(cost.usd), { isPretended: isPretended === true, isFree: isUnbilled(attempt) }),
    reason: read === 0 ? 'nothing came from the cache.' : `${percent(read, input)} came from the cache, the rest is new.`,
    details: source,
  };
}

/** The verdict on an attempt of a chat. */
export async function costVerdictOf(session: Pick<ChatSession, 'state' | 'whole'>, attemptId: string): Promise<Verdict | null> {
  const attempt = session.state.attempts.get(attemptId) ?? (await session.whole()).attempts.get(attemptId);
  return attempt === undefined ? null : costVerdict(attempt);
}

function costInWords(words: string | null, { isPretended, isFree }: { readonly isPretended: boolean; readonly isFree: boolean }): string {
  if (words !== null && isPretended) {
    return `Would cost ${words}`;
  }
  if (isFree) {
    return 'Not billed';
  }
  return words === null ? 'No price' : `Cost ${words}`;
}

interface NextCost {
  /** US dollars for the input; null without prices. */
  readonly inputCost: number | null;
  readonly isPretended: boolean;
  readonly forecast: Pick<Forecast, 'parts' | 'expiresAt'> | null;
}

/** What the next request will cost if it is sent at `now`. */
export function nextVerdict({ inputCost, isPretended, forecast }: NextCost, now: number): Verdict {
  const words = inputCost === null ? 'No price' : `${isPretended ? 'Would' : 'Will'} cost ${price(inputCost)}`;
  return { ...NOTHING_MORE, tone: (forecast?.parts.read ?? 0) > 0 ? 'good' : 'plain', cost: words, reason: reasonOf(forecast, now) };
}

function reasonOf(forecast: NextCost['forecast'], now: number): string {
  if (forecast === null) {
    return 'nobody knows what its cache holds.';
  }
  const { parts, expiresAt } = forecast;
  const input = parts.read + parts.written + parts.fresh;
  if (parts.read === 0) {
    return 'nothing of it is in the cache.';
  }
  const share = `${percent(parts.read, input)} from the cache`;
  return expiresAt === null ? `${share}.` : `${share}, if sent within ${minutesLeft(expiresAt - now)}.`;
}

/** `3:12`. */
function minutesLeft(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1_000));
  return `${String(Math.floor(seconds / 60))}:${String(seconds % 60).padStart(2, '0')}`;
}
