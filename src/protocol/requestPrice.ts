import type { ReplyPrice } from '../engine/accounting/usualCosts.js';
import type { SizeBasis } from './panel/entries.js';
import { markedPrice, price, priceInWords, roughPrice } from './numbers.js';

/*
 * The price of a request that is not sent yet. All views show the same figure: the price of the input with a reply of
 * typical length. Without an earlier reply, they show the price of the input and say that the reply costs more.
 */

export interface ExpectedPrice {
  /** US dollars for the input. */
  readonly inputCost: number;
  /** US dollars for a reply of typical length. Null when unknown. */
  readonly replyCost: number | null;
  /** Sign of an inexact price of the input. Null for an exact price. */
  readonly bound: '≥' | '≤' | '≈' | null;
}

interface PriceWords {
  readonly figure: string;
  /** The words after the figure, which say what it covers. */
  readonly covers: 'with reply' | '+ reply';
}

/** What a view of the next request knows about its price. */
interface PricedRequest extends Pick<KnownPrice, 'mayBeCached'> {
  readonly inputCost: number | null;
  readonly reply: Pick<ReplyPrice, 'median'> | null;
  readonly basis: SizeBasis;
  /** See `hasUnknownTools`. */
  readonly unknownServers: readonly unknown[];
}

interface KnownPrice {
  /** Whether the request will contain tools of servers that have not started yet, which can raise the price. */
  readonly hasUnknownTools: boolean;
  /** Whether the cache can lower the price. */
  readonly mayBeCached: boolean;
  /** Whether Loupe estimates the tokens. */
  readonly isEstimate: boolean;
}

/** Returns the price of the next request with a typical reply. Null when unknown. */
export function expectedPrice({ inputCost, reply, mayBeCached, basis, unknownServers }: PricedRequest): ExpectedPrice | null {
  const bound = boundOf({ hasUnknownTools: unknownServers.length > 0, mayBeCached, isEstimate: basis === 'estimate' });
  return inputCost === null ? null : { inputCost, replyCost: reply?.median ?? null, bound };
}

/** Returns the sign of an inexact price of the input. Null for an exact price. */
export function boundOf({ hasUnknownTools, mayBeCached, isEstimate }: KnownPrice): ExpectedPrice['bound'] {
  if (hasUnknownTools) {
    return mayBeCached ? '≈' : '≥';
  }
  return mayBeCached ? '≤' : isEstimate ? '≈' : null;
}

/** Returns `≈ $0.012` and `with reply`, or `$0.0080` and `+ reply`. */
export function requestPriceWords({ inputCost, replyCost, bound }: ExpectedPrice): PriceWords {
  return replyCost === null
    ? { figure: bound === null ? price(inputCost) : markedPrice(bound, price(inputCost)), covers: '+ reply' }
    : { figure: markedPrice(bound ?? '≈', roughPrice(inputCost + replyCost)), covers: 'with reply' };
}

/** Returns the price as the end of a sentence: `≈ $0.012 with reply`; for a free model `would cost $0.0080 + reply`. */
export function requestPriceText(expected: ExpectedPrice, isPretended: boolean): string {
  const { figure, covers } = requestPriceWords(expected);
  return priceInWords(`${figure} ${covers}`, isPretended);
}

/** Returns the usual price of a reply: `typically $0.0004 to $0.0040`. After one reply, the price of that reply. */
export function replyInWords({ low, median, high, replies }: ReplyPrice): string {
  if (replies === 1) {
    return `the last one cost ${roughPrice(median)}`;
  }
  const [least, most] = [roughPrice(low), roughPrice(high)];
  if (least === most) {
    return `typically ${most}`;
  }
  return least.startsWith('<') ? `typically up to ${most}` : `typically ${least} to ${most}`;
}
