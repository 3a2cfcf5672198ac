import { modelKey } from '../model/modelRef.js';
import type { PricesOf } from './itemProof.js';
import type { AttemptUsage } from './attemptUsage.js';
import { isIn, type Period } from './periods.js';
import { costOf, givesCost, ratesOfUsage, type Cost } from '../model/price.js';

/** The groups of usage by purpose. A topic search belongs to `summary`. */
export const USAGE_PARTS = ['reply', 'title', 'summary', 'keepWarm', 'embedding', 'count', 'probe', 'retry', 'discarded'] as const;
export type UsagePart = (typeof USAGE_PARTS)[number];

/** The chat id of requests outside of chats. */
export const NO_CHAT = 'none';

/** The attempts of one chat, which may be deleted, or of `NO_CHAT`. */
export interface ChatAttempts {
  readonly chatId: string;
  readonly rows: readonly AttemptUsage[];
}

export interface UsedAttempt {
  readonly chatId: string;
  readonly row: AttemptUsage;
  /** The start in local time, see periods.ts. */
  readonly local: number;
  readonly model: string;
  readonly part: UsagePart;
}

/** Converts epoch milliseconds to local time. */
export type LocalTime = (at: number) => number;

/** 26 hours in milliseconds: more than the UTC offset of any time zone. */
const MOST_OFFSET = 26 * 3_600_000;

/**
 * Returns each attempt once. An imported chat is a copy with the attempts of its original chat. If both chats are
 * present, only the original keeps the attempts. Chat ids begin with the creation time, so the original sorts first.
 */
export function distinctAttempts(chats: readonly ChatAttempts[]): ChatAttempts[] {
  const seen = new Set<string>();
  const oldestFirst = chats.toSorted((a, b) => (a.chatId < b.chatId ? -1 : 1));
  return oldestFirst.map(({ chatId, rows }) => {
    const own = rows.filter(({ id }) => !seen.has(id));
    for (const { id } of own) {
      seen.add(id);
    }
    return { chatId, rows: own };
  });
}

export function attemptsIn(chats: Iterable<ChatAttempts>, period: Period | null, localTime: LocalTime): UsedAttempt[] {
  const found: UsedAttempt[] = [];
  for (const { chatId, rows } of chats) {
    for (const row of rows) {
      // Finding the time zone is the slowest step here, so attempts that are certainly outside the period skip it.
      if (period !== null && (row.at < period.from - MOST_OFFSET || row.at > period.to + MOST_OFFSET)) {
        continue;
      }
      const local = localTime(row.at);
      if (period === null || isIn(local, period)) {
        found.push({ chatId, row, local, model: modelKey(row.model), part: usagePart(row) });
      }
    }
  }
  return found;
}

/** `discarded` has priority over `retry`, and `retry` over the purpose. */
export function usagePart({ isDiscarded, isRetry, purpose }: Pick<AttemptUsage, 'isDiscarded' | 'isRetry' | 'purpose'>): UsagePart {
  if (isDiscarded) {
    return 'discarded';
  }
  if (isRetry === true) {
    return 'retry';
  }
  return purpose === 'topic' ? 'summary' : purpose;
}

/** The cost of an attempt, or why no cost is known: not billed, no price for the model, or unknown usage. */
export type AttemptPrice = Cost | 'unbilled' | 'noPrice' | 'unknown';

export function attemptPrice({ cost, isUnbilled, usage, model }: AttemptUsage, pricesOf: PricesOf): AttemptPrice {
  if (isUnbilled) {
    return 'unbilled';
  }
  if (cost !== null || usage === null) {
    return cost ?? 'unknown';
  }
  // For these prices, `costOf` returns null only if a usage figure is missing. Otherwise the model had no price.
  const isComplete = costOf(usage, { input: 1, output: 1, cacheRead: 0, cacheWrite5m: 1, cacheWrite1h: 1 }) !== null;
  return isComplete || pricesOf(model) === null ? 'noPrice' : 'unknown';
}

/**
 * Returns what the cache saved in US dollars: the price of the attempt without a cache, minus its cost. Negative when
 * cache writes cost more than cache reads saved. The log stores no prices, so today's prices are used. Null for an
 * unbilled attempt, without a cost, and when today's prices do not give the recorded cost.
 */
export function cacheSaving({ cost, isUnbilled, usage, model }: AttemptUsage, pricesOf: PricesOf): number | null {
  const prices = pricesOf(model);
  if (isUnbilled || cost === null || usage === null || !givesCost(prices, usage, cost.usd)) {
    return null;
  }
  const rates = ratesOfUsage(usage, prices);
  const fresh = costOf(usage, { ...rates, cacheRead: rates.input, cacheWrite5m: rates.input, cacheWrite1h: rates.input });
  return fresh === null ? null : fresh.usd - cost.usd;
}
