import { priceOfUse, type Prices } from '../model/price.js';
import { ASKED_LIFETIMES, type Ttl } from '../model/cacheRules.js';
import type { CacheUse } from '../model/providerCache.js';
import { reportedLifetimes } from '../cache/toldLifetimes.js';
import type { MonitoredRequest, Trial } from './trials.js';

/** A request whose cache writes got another lifetime than requested, by the provider's report. */
export interface LifetimeMismatch extends Pick<Trial, 'at' | 'chatId' | 'attemptId'> {
  /** Tokens that were written with the other lifetime. */
  readonly written: number;
  /** Tokens that the requested lifetime would have kept in the cache. */
  readonly lost: number;
}

/** A lifetime that a provider reports for breakpoints that asked for another lifetime. */
export interface OtherLifetime {
  readonly asked: Ttl;
  readonly actual: Ttl;
  /** The latest consecutive requests with this mismatch; at least one. */
  readonly proofs: readonly LifetimeMismatch[];
}

/** Collects the reported lifetimes that differ from the requested lifetimes. */
export class OtherLifetimes {
  readonly #asked = new Map<Ttl, OtherLifetime>();

  get all(): readonly OtherLifetime[] {
    return [...this.#asked.values()];
  }

  /** `trial` is the cache test of this request. Null if the usage of the request proved nothing. */
  take(request: MonitoredRequest, trial: Trial | null): void {
    const { at, chatId, attemptId, parts, usage } = request;
    for (const { asked, actual, written } of reportedLifetimes(parts.breakpoints, usage)) {
      const before = this.#asked.get(asked);
      if (actual === asked) {
        this.#asked.delete(asked);
      } else {
        const isLostByIt =
          trial?.asked === asked && trial.given === actual && trial.gap > ASKED_LIFETIMES[actual] && trial.gap <= ASKED_LIFETIMES[asked];
        const proof = { at, chatId, attemptId, written, lost: isLostByIt ? trial.lost : 0 };
        this.#asked.set(asked, { asked, actual, proofs: before?.actual === actual ? [...before.proofs, proof] : [proof] });
      }
    }
  }
}

/** Returns the extra cost of the other lifetime in US dollars. Negative when the cheaper cache writes saved more. */
export function otherLifetimeCost({ asked, actual }: OtherLifetime, requests: readonly LifetimeMismatch[], prices: Prices): number {
  return requests.reduce((sum, { written, lost }) => {
    const tokens = Math.max(written, lost);
    return sum + priceDifference(writtenFor(actual, tokens), { ...writtenFor(asked, tokens - lost), read: lost }, prices);
  }, 0);
}

/** Returns the extra cost of lost prefixes in US dollars: they were not read from the cache, but sent again. */
export function lostCost(trials: readonly Trial[], prices: Prices): number {
  return trials.reduce((sum, { lost, billed }) => sum + priceDifference(billed, { ...NOTHING, read: lost }, prices), 0);
}

const NOTHING: CacheUse = { read: 0, written5m: 0, written1h: 0, fresh: 0 };

function writtenFor(ttl: Ttl, tokens: number): CacheUse {
  return ttl === '1h' ? { ...NOTHING, written1h: tokens } : { ...NOTHING, written5m: tokens };
}

/** Returns how much more `actual` costs than `due`. The price of each is that of a whole input of the same length. */
function priceDifference(actual: CacheUse, due: CacheUse, prices: Prices): number {
  return priceOfUse(actual, prices) - priceOfUse(due, prices);
}
