import type { AttemptRow, ItemUse, RequestItems } from './attemptRow.js';
import { costOf, PER_MILLION, ratesOfUsage, type Prices, type Rates } from '../model/price.js';
import { inputTokens, type Usage } from '../model/usage.js';
import type { ModelRef } from '../model/modelRef.js';

/** In which requests for replies an item was, and what it cost there. */
export interface ItemProof {
  readonly whole: number;
  readonly cut: number;
  /** All of these together, as Loupe counts them. */
  readonly tokens: number;
  /** US dollars of those requests whose cost is known; null when none is. */
  readonly cost: number | null;
  /** The requests that held it and whose bill is unknown. */
  readonly unknownCosts: number;
  /** The start of the latest one, in epoch milliseconds; null when it was in none. */
  readonly lastAt: number | null;
}

/** The proofs of all items over some requests. */
export interface ItemProofs {
  /** The requests for replies whose record can be read. */
  readonly requests: number;
  /** By item key. Those that were in no request are not there. */
  readonly items: ReadonlyMap<string, ItemProof>;
}

/** The prices of a model as they are now; null without any. */
export type PricesOf = (model: ModelRef) => Prices | null;

/** Of an item that was in no request. */
export const NEVER_HELD: ItemProof = { whole: 0, cut: 0, tokens: 0, cost: null, unknownCosts: 0, lastAt: null };

/** Counts over the rows of attempts, of one chat or of several. */
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

/**
 * An item's share of what its request cost. The share is taken at the prices as they are now, since the log has only the
 * sum; the sum is that of the time.
 */
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

/** Of a usage whose input is known: cache figures that are missing stand for no cache. */
function withoutGaps(usage: Usage): Usage {
  const none = { value: 0, source: 'reported' } as const;
  return {
    ...usage,
    cacheReadInputTokens: usage.cacheReadInputTokens ?? none,
    cacheCreationInputTokens: usage.cacheCreationInputTokens ?? none,
    completionTokens: usage.completionTokens ?? none,
  };
}

/** The mean of what the request paid for a token that it wrote. */
function writePrice({ cacheCreation }: Usage, { cacheWrite5m, cacheWrite1h }: Rates): number {
  if (cacheCreation === null || cacheCreation.fiveMinutes + cacheCreation.oneHour === 0) {
    return cacheWrite5m;
  }
  const { fiveMinutes, oneHour } = cacheCreation;
  return (fiveMinutes * cacheWrite5m + oneHour * cacheWrite1h) / (fiveMinutes + oneHour);
}
