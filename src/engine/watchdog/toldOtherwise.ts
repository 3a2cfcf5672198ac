import { ratesOf, type Prices } from '../accounting/price.js';
import { TTL_SECONDS, type Ttl } from '../cache/cacheRules.js';
import { toldLifetimes, type ToldLifetime } from '../cache/toldLifetimes.js';
import { PER_MILLION, writeRate } from './lostCost.js';
import type { Trial, WatchedRequest } from './trial.js';

/** A request that a provider wrote for another lifetime than was asked for, by its own figures. */
export interface OtherwiseWritten extends Pick<Trial, 'at' | 'chatId' | 'attemptId'> {
  /** Tokens. */
  readonly written: number;
  /** Tokens that would still have been there, had they been kept as long as was asked. */
  readonly lost: number;
}

/** A lifetime that a provider gives, by its own figures, to what asks for another one. */
export interface ToldOtherwise extends Pick<ToldLifetime, 'asked' | 'told'> {
  /** Whether it was seen to give what is asked for before. */
  readonly isChange: boolean;
  /** The requests that prove it, in the order in which they were sent. */
  readonly proofs: readonly OtherwiseWritten[];
}

/** One request proves it. The second one says that it is no exception, such as a single machine that is being renewed. */
const ENOUGH = 2;

/** What a provider says of the lifetimes that it gives to what asks for them. */
export class ToldLifetimes {
  readonly #asked = new Map<Ttl, ToldOf>();

  /** `trials` are those of the request. */
  take(request: WatchedRequest, trials: readonly Trial[]): void {
    for (const each of toldLifetimes(request.parts, request.usage)) {
      const toldOf = this.#asked.get(each.asked) ?? new ToldOf();
      this.#asked.set(each.asked, toldOf);
      toldOf.take(each, otherwiseWritten(each, request, trials));
    }
  }

  get otherwise(): readonly ToldOtherwise[] {
    return [...this.#asked].flatMap(([asked, toldOf]) => toldOf.otherwise(asked) ?? []);
  }
}

/** What was told of one lifetime that is asked for. */
class ToldOf {
  /** Null before anything is certain. */
  #told: Ttl | null = null;
  #isChange = false;
  #requests: readonly OtherwiseWritten[] = [];
  /** The latest requests in a row of which the same was told, other than before. */
  #next: readonly OtherwiseWritten[] = [];
  #nextTold: Ttl | null = null;

  otherwise(asked: Ttl): ToldOtherwise | null {
    return this.#told === null || this.#told === asked
      ? null
      : { asked, told: this.#told, isChange: this.#isChange, proofs: this.#requests };
  }

  take({ asked, told }: ToldLifetime, request: OtherwiseWritten): void {
    if (told === this.#told) {
      this.#next = [];
      this.#requests = told === asked ? [] : [...this.#requests, request];
      return;
    }
    this.#next = told === this.#nextTold ? [...this.#next, request] : [request];
    this.#nextTold = told;
    if (this.#next.length >= ENOUGH || (told === asked && this.#told === null)) {
      this.#isChange = this.#told === asked;
      [this.#told, this.#requests, this.#next] = [told, told === asked ? [] : this.#next, []];
    }
  }
}

function otherwiseWritten(
  { asked, told, written }: ToldLifetime,
  { at, chatId, attemptId }: WatchedRequest,
  trials: readonly Trial[],
): OtherwiseWritten {
  const isLostByIt = ({ isServed, gap, ...trial }: Trial): boolean =>
    !isServed && trial.asked === asked && trial.given === told && gap > lifetimeOf(told) && gap <= lifetimeOf(asked);
  const lost = trials.filter(isLostByIt).reduce((sum, trial) => sum + trial.lost, 0);
  return { at, chatId, attemptId, written, lost };
}

function lifetimeOf(ttl: Ttl): number {
  return TTL_SECONDS[ttl] * 1_000;
}

/**
 * What it cost more in US dollars that requests were written otherwise: what was lost by it is written again instead of read, and all
 * else is written at the price of the lifetime told. Below 0 where the cheaper writing saved more than that. The rates are those of a
 * request as long as what was written: the whole request was at least as long.
 */
export function otherwiseCost({ asked, told }: ToldOtherwise, requests: readonly OtherwiseWritten[], prices: Prices): number {
  const ofOne = ({ written, lost }: OtherwiseWritten): number => {
    const rates = ratesOf(prices, written);
    const rate = writeRate(told, rates);
    return lost * (rate - rates.cacheRead) + Math.max(0, written - lost) * (rate - writeRate(asked, rates));
  };
  return requests.reduce((sum, request) => sum + ofOne(request), 0) / PER_MILLION;
}
