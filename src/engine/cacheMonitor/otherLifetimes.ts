import { priceOfUse, type Prices } from '../model/price.js';
import { ASKED_LIFETIMES, type Ttl } from '../model/cacheRules.js';
import type { CacheUse } from '../model/providerCache.js';
import { toldLifetimes } from '../cache/toldLifetimes.js';
import type { MonitoredRequest, Trial } from './trials.js';

/** A request that a provider wrote for another lifetime than was asked for, by its own figures. */
export interface OtherwiseWritten extends Pick<Trial, 'at' | 'chatId' | 'attemptId'> {
  /** Tokens. */
  readonly written: number;
  /** Tokens that the lifetime that was asked for would have kept. */
  readonly lost: number;
}

/** A lifetime that a provider gives, by its own figures, to breakpoints that ask for another one. */
export interface OtherLifetime {
  readonly asked: Ttl;
  readonly told: Ttl;
  /** The latest requests in a row that were written so; at least one. */
  readonly proofs: readonly OtherwiseWritten[];
}

/** The lifetimes that a provider said it gave, where they are not those that were asked for. */
export class OtherLifetimes {
  readonly #asked = new Map<Ttl, OtherLifetime>();

  get all(): readonly OtherLifetime[] {
    return [...this.#asked.values()];
  }

  /** `trial` is that of the request. */
  take(request: MonitoredRequest, trial: Trial | null): void {
    const { at, chatId, attemptId, parts, usage } = request;
    for (const { asked, told, written } of toldLifetimes(parts, usage)) {
      const before = this.#asked.get(asked);
      if (told === asked) {
        this.#asked.delete(asked);
      } else {
        const isLostByIt =
          trial?.asked === asked && trial.given === told && trial.gap > ASKED_LIFETIMES[told] && trial.gap <= ASKED_LIFETIMES[asked];
        const proof = { at, chatId, attemptId, written, lost: isLostByIt ? trial.lost : 0 };
        this.#asked.set(asked, { asked, told, proofs: before?.told === told ? [...before.proofs, proof] : [proof] });
      }
    }
  }
}

/** Returns what it cost more in US dollars that requests were written for another lifetime; below 0 where the cheaper writing saved more. */
export function otherLifetimeCost({ asked, told }: OtherLifetime, requests: readonly OtherwiseWritten[], prices: Prices): number {
  return requests.reduce((sum, { written, lost }) => {
    const tokens = Math.max(written, lost);
    return sum + priceDifference(writtenFor(told, tokens), { ...writtenFor(asked, tokens - lost), read: lost }, prices);
  }, 0);
}

/** Returns what it cost in US dollars that prefixes were lost: they were written again, or sent uncached, instead of read. */
export function lostCost(trials: readonly Trial[], prices: Prices): number {
  return trials.reduce((sum, { lost, asked }) => {
    const again = asked === null ? { ...NOTHING, fresh: lost } : writtenFor(asked, lost);
    return sum + priceDifference(again, { ...NOTHING, read: lost }, prices);
  }, 0);
}

const NOTHING: CacheUse = { read: 0, written5m: 0, written1h: 0, fresh: 0 };

function writtenFor(ttl: Ttl, tokens: number): CacheUse {
  return ttl === '1h' ? { ...NOTHING, written1h: tokens } : { ...NOTHING, written5m: tokens };
}

/** Both are of the same tokens. The rates are those of a request of so many: the whole request was at least as long. */
function priceDifference(actual: CacheUse, due: CacheUse, prices: Prices): number {
  return priceOfUse(actual, prices) - priceOfUse(due, prices);
}
