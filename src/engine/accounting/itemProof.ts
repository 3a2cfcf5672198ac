import type { AttemptRow, ItemUse, RequestItems } from './attemptRow.js';
import { costOf, PER_MILLION, ratesOfUsage, type Prices, type Rates } from '../model/price.js';
import { inputTokens, type Usage } from '../model/usage.js';
import type { ModelRef } from '../model/modelRef.js';

/** How often a catalog item was in requests for replies, and its cost in these requests. */
export interface ItemProof {
  readonly whole: number;
  readonly cut: number;
  /** The item's tokens in all these requests, as counted by Loupe. */
  readonly tokens: number;
  /** The item's cost in US dollars in the requests with a known cost; null if there is no such request. */
  readonly cost: number | null;
  /** Number of requests that held the item, but whose cost is unknown. */
  readonly unknownCosts: number;
  /** The start of the latest request that held the item, in epoch milliseconds. Null if no request held the item. */
  readonly lastAt: number | null;
}

export interface ItemProofs {
  /** The number of requests for replies whose manifest can be read. */
  readonly requests: number;
  /** By item key. Items that were in no request are missing. */
  readonly items: ReadonlyMap<string, ItemProof>;
}

/** Returns today's prices of a model; null without prices. */
export type PricesOf = (model: ModelRef) => Prices | null;

export const NEVER_HELD: ItemProof = { whole: 0, cut: 0, tokens: 0, cost: null, unknownCosts: 0, lastAt: null };

export function itemProofs(rows: Iterable<AttemptRow>, pricesOf: PricesOf): ItemProofs {
  const items = new Map<string, ItemProof>();
  let requests = 0;
  for (const row of rows) {
    if (row.request === null) {
      continue;
    }
    requests += 1;
    for (const use of row.request.items) {
      items.set(use.key, withUse(items.get(use.key) ?? NEVER_HELD, use, { at: row.at, cost: useCost(use, row.request, row, pricesOf) }));
    }
  }
  return { requests, items };
}

type UseCost = number | 'unknown' | 'unbilled';

function withUse(proof: ItemProof, use: ItemUse, { at, cost }: { readonly at: number; readonly cost: UseCost }): ItemProof {
  return {
    whole: proof.whole + (use.isCut ? 0 : 1),
    cut: proof.cut + (use.isCut ? 1 : 0),
    tokens: proof.tokens + use.tokens,
    cost: typeof cost === 'number' ? (proof.cost ?? 0) + cost : proof.cost,
    unknownCosts: proof.unknownCosts + (cost === 'unknown' ? 1 : 0),
    lastAt: Math.max(proof.lastAt ?? 0, at),
  };
}

/** Returns an item's share of its request's cost. Uses today's prices, because the log stores no prices. */
function useCost({ parts }: ItemUse, { counted }: RequestItems, row: AttemptRow, pricesOf: PricesOf): UseCost {
  if (row.isUnbilled) {
    return 'unbilled';
  }
  const prices = pricesOf(row.model);
  const input = row.usage === null ? null : inputTokens(row.usage);
  if (row.usage === null || prices === null || input === null || row.cost === null || parts === null || counted === 0) {
    return 'unknown';
  }
  const now = costOf(withoutGaps(row.usage), prices)?.usd ?? 0;
  const rates = ratesOfUsage(row.usage, prices);
  const dollars =
    ((parts.read * rates.cacheRead + parts.written * writePrice(row.usage, rates) + parts.fresh * rates.input) / PER_MILLION) *
    (input / counted);
  return now === 0 ? 0 : row.cost.usd * (dollars / now);
}

/** Sets unknown cache and output figures to 0. A provider that reports no cache figures used no cache. */
function withoutGaps(usage: Usage): Usage {
  const none = { value: 0, source: 'reported' } as const;
  return {
    ...usage,
    cacheReadInputTokens: usage.cacheReadInputTokens ?? none,
    cacheCreationInputTokens: usage.cacheCreationInputTokens ?? none,
    completionTokens: usage.completionTokens ?? none,
  };
}

/** Returns the average price per token of the request's cache writes. */
function writePrice({ cacheCreation }: Usage, { cacheWrite5m, cacheWrite1h }: Rates): number {
  if (cacheCreation === null || cacheCreation.fiveMinutes + cacheCreation.oneHour === 0) {
    return cacheWrite5m;
  }
  const { fiveMinutes, oneHour } = cacheCreation;
  return (fiveMinutes * cacheWrite5m + oneHour * cacheWrite1h) / (fiveMinutes + oneHour);
}
