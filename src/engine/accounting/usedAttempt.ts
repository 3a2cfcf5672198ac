import { modelKey } from '../model/modelRef.js';
import type { PricesOf } from './itemProof.js';
import type { AttemptUsage } from './attemptUsage.js';
import { isIn, type Period } from './periods.js';
import { costOf, givesCost, ratesOfUsage, type Cost } from '../model/price.js';

/** What an attempt counts as where the use is divided by purpose: a topic search counts as a summary. */
export const USAGE_PARTS = ['reply', 'title', 'summary', 'embedding', 'count', 'probe', 'retry', 'discarded'] as const;
export type UsagePart = (typeof USAGE_PARTS)[number];

/** In place of the id of a chat, for requests outside of chats. */
export const NO_CHAT = 'none';

/** The attempts of one chat, which may be deleted, or of `NO_CHAT`. */
export interface ChatAttempts {
  readonly chatId: string;
  readonly rows: readonly AttemptUsage[];
}

/** An attempt among those of all chats. */
export interface UsedAttempt {
  readonly chatId: string;
  readonly row: AttemptUsage;
  /** Its start in local time, see periods.ts. */
  readonly local: number;
  /** The key of its model. */
  readonly model: string;
  readonly part: UsagePart;
}

/** The local time of an instant. */
export type LocalTime = (at: number) => number;

/** More than any time zone is away from UTC. */
const MOST_OFFSET = 26 * 3_600_000;

/**
 * Each attempt once. An imported chat has the attempts of the chat that it is a copy of: where that is here, too, they
 * count there. Ids of chats begin with the time of their creation, so that the first chat is the older one.
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

/** The attempts of a period; without one, all of them. */
export function attemptsIn(chats: Iterable<ChatAttempts>, period: Period | null, localTime: LocalTime): UsedAttempt[] {
  const found: UsedAttempt[] = [];
  for (const { chatId, rows } of chats) {
    for (const row of rows) {
      // A time zone takes longer to look up than all else here.
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

/** Discarded wins over retry, and retry over the purpose. */
export function usagePart({ isDiscarded, isRetry, purpose }: Pick<AttemptUsage, 'isDiscarded' | 'isRetry' | 'purpose'>): UsagePart {
  if (isDiscarded) {
    return 'discarded';
  }
  if (isRetry === true) {
    return 'retry';
  }
  return purpose === 'topic' ? 'summary' : purpose;
}

/**
 * What an attempt cost, or why that is not known: it was not billed, its model had no price, or a part of its usage is
 * unknown.
 */
export type AttemptPrice = Cost | 'unbilled' | 'noPrice' | 'unknown';

export function attemptPrice({ cost, isUnbilled, usage, model }: AttemptUsage, pricesOf: PricesOf): AttemptPrice {
  if (isUnbilled) {
    return 'unbilled';
  }
  if (cost !== null || usage === null) {
    return cost ?? 'unknown';
  }
  // With all four figures, any prices would have given a cost. These tell cached input from other input.
  const isComplete = costOf(usage, { input: 1, output: 1, cacheRead: 0, cacheWrite5m: 1, cacheWrite1h: 1 }) !== null;
  return isComplete || pricesOf(model) === null ? 'noPrice' : 'unknown';
}

/**
 * What the cache saved of an attempt's price, in US dollars: what its input would have cost fresh, less what it did.
 * Negative where writing cost more than reading saved. Null where that is not known: without a cost, and where the prices
 * of today do not give it, because the log keeps no others.
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
