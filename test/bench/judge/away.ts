import { expectedCache, type ExpectedCache } from '../../../src/engine/cache/expectedCache.js';
import { forecast, type Forecast } from '../../../src/engine/cache/forecast.js';
import { idleOffers, KEEP_WARM_MARGIN_MS, type IdleOffer, type SummaryCosts } from '../../../src/engine/cache/idleOffers.js';
import { PrefixIds } from '../../../src/engine/cache/prefixIds.js';
import { ASKED_LIFETIMES, type BreakpointCache } from '../../../src/engine/model/cacheRules.js';
import type { Prices } from '../../../src/engine/model/price.js';
import { inColumns, type PartColumns } from '../../../src/engine/model/providerCache.js';
import { MarkedCache, type MarkedCacheRules } from '../../support/cachingServer/markedCache.js';
import { ANTHROPIC } from './cacheRules.js';
import type { Block, ChatRequest } from './content.js';
import { costOf, promptOf, RULES } from './judge.js';
import { LoupePolicy } from './loupePlanner.js';
import { MOST_KEPT, playTrace, SUMMARY, SUMMARY_INSTRUCTION } from './traces.js';
import { settingsOf } from './traceSettings.js';

/** What a chat costs, in tokens of uncached input. Replies do not count, except summaries. */
export interface WaitingCosts {
  readonly whole: number;
  /** The whole if no cache entry ever expired. */
  readonly lasting: number;
  /** Of the whole: keep-warm requests, also those after the last turn. */
  readonly keepingWarm: number;
  readonly keepWarms: number;
  /** Summaries that the user asked for before the cache expired. */
  readonly summaries: number;
}

/** What the user does when Loupe offers something before the cache expires: nothing, or the first offer. */
export type Answer = 'leave' | 'asPriced';

const MARKS: BreakpointCache = {
  kind: 'marks',
  most: ANTHROPIC.mostBreakpoints,
  minimumTokens: ANTHROPIC.minimumTokens,
  lookBack: ANTHROPIC.lookBack,
  lifetimes: ['5m', '1h'],
};

/** US dollars per million tokens. An offer must save a minimum in dollars, so the price of input has an influence. */
const INPUT = 3;
const OUTPUT = 5;
const PRICES: Prices = {
  input: INPUT,
  output: OUTPUT * INPUT,
  cacheRead: ANTHROPIC.read * INPUT,
  cacheWrite5m: ANTHROPIC.lifetimes['5m'].write * INPUT,
  cacheWrite1h: ANTHROPIC.lifetimes['1h'].write * INPUT,
};
const PER_MILLION = 1_000_000;

const LASTING_RULES: MarkedCacheRules = { ...RULES, lifetimes: { '5m': Infinity, '1h': Infinity } };

/** The user answers this long before the expiry, in ms. */
const ASKED_BEFORE_MS = 240_000;

/** Plays a chat with Loupe's adaptive layout. The last pause never ends. */
export function waitingCosts(kind: string, seed: number, answer: Answer): WaitingCosts {
  const chat = new WaitingChat(settingsOf(kind).limit, answer);
  chat.send(playTrace(kind, seed, (requests, until) => chat.away(requests, until)).requests);
  return chat.costs();
}

/** A prompt that the cache has until `expiresAt`. Costs are in US dollars, times in ms. */
interface Cached {
  readonly kept: readonly Block[];
  readonly expiresAt: number;
  readonly lifetime: number;
  readonly warm: number;
  readonly cold: number;
  readonly rebuildSaves: number;
  readonly keepWarm: number;
}

/** Offers by Loupe's own forecast, and pays at the cache of the judge. */
class WaitingChat {
  readonly #limit: number;
  readonly #answer: Answer;
  readonly #cache = new MarkedCache();
  readonly #lastingCache = new MarkedCache();
  readonly #policy = new LoupePolicy();
  readonly #prefixes = new PrefixIds();
  readonly #expected = emptyCache();
  readonly #pauses: number[] = [];
  /** The last request of the chat, as sent. */
  #blocks: readonly Block[] = [];
  #sent = 0;
  #paid = 0;
  #lasting = 0;
  #keepingWarm = 0;
  #keepWarms = 0;
  #summaries = 0;
  #replies = 0;

  constructor(limit: number, answer: Answer) {
    this.#limit = limit;
    this.#answer = answer;
  }

  /** Sends the requests that were not yet sent. */
  send(requests: readonly ChatRequest[]): void {
    for (const request of requests.slice(this.#sent)) {
      const blocks = this.#policy.plan(request);
      const at = request.at * 1_000;
      this.#pay(blocks, request.model, at);
      const lasting = this.#lastingCache.use(promptOf(blocks), request.model, LASTING_RULES, at);
      lasting.begin();
      const output = request.kind === 'summary' ? SUMMARY.median * OUTPUT : 0;
      this.#paid += output;
      this.#lasting += costOf(lasting.use) + output;
      if (request.kind === 'chat') {
        this.#blocks = blocks;
        this.#replies += 1;
      }
    }
    this.#sent = requests.length;
  }

  /** As `Away`. */
  away(requests: readonly ChatRequest[], until: number): number | null {
    this.send(requests);
    const last = requests.findLast(({ kind }) => kind === 'chat');
    if (last === undefined) {
      throw new RangeError('The chat has no request.');
    }
    const from = last.at * 1_000;
    const summary = this.#answer === 'leave' ? null : this.#wait(last, from, until * 1_000);
    if (until !== Infinity) {
      this.#pauses.push(until * 1_000 - from);
    }
    return summary === null ? null : summary / 1_000;
  }

  costs(): WaitingCosts {
    return {
      whole: this.#paid,
      lasting: this.#lasting,
      keepingWarm: this.#keepingWarm,
      keepWarms: this.#keepWarms,
      summaries: this.#summaries,
    };
  }

  /** Takes the first offer before each expiry until the user returns. Returns when the user asks for a summary. */
  #wait(last: ChatRequest, from: number, until: number): number | null {
    for (let now = from; ; ) {
      const cached = this.#cachedAt(last, now);
      if (cached === null) {
        return null;
      }
      now = Math.max(now, cached.expiresAt - ASKED_BEFORE_MS);
      if (now >= until) {
        return null;
      }
      const [offer] = this.#offers(last, cached, { idle: now - from, left: cached.expiresAt - now });
      if (offer?.kind === 'summarize') {
        this.#summaries += 1;
        return now;
      }
      if (offer?.kind !== 'keepWarm') {
        return null;
      }
      now = this.#keepWarm(cached, offer.requests, until);
    }
  }

  #offers(last: ChatRequest, cached: Cached, times: { readonly idle: number; readonly left: number }): readonly IdleOffer[] {
    return idleOffers({ pauses: this.#pauses, replies: this.#replies, ...times, ...cached, summary: this.#summary(last, cached) }).offers;
  }

  /** Null if a summary would replace nothing. */
  #summary({ items }: ChatRequest, { warm }: Cached): SummaryCosts | null {
    const said = items.filter(({ kind }) => kind === 'message');
    const newest = tokensOf(said.slice(said.findLastIndex(({ speech }) => speech === 'user')));
    const kept = newest < this.#limit * MOST_KEPT ? newest : 0;
    const replaced = tokensOf(said) - kept;
    const next = tokensOf(items) - replaced + SUMMARY.median;
    return replaced <= SUMMARY.median
      ? null
      : {
          write: warm + (SUMMARY_INSTRUCTION * PRICES.input + SUMMARY.median * PRICES.output) / PER_MILLION,
          next: (next * PRICES.cacheWrite5m) / PER_MILLION,
        };
  }

  /** Returns the time after the last keep-warm request, or `until`. */
  #keepWarm({ kept, expiresAt, lifetime }: Cached, requests: number, until: number): number {
    const times = Array.from({ length: requests }, (_, sent) => expiresAt - KEEP_WARM_MARGIN_MS + sent * (lifetime - KEEP_WARM_MARGIN_MS));
    for (const at of times) {
      if (at >= until) {
        return until;
      }
      this.#keepingWarm += this.#pay(kept, 'main', at);
      this.#keepWarms += 1;
      this.#policy.keptWarm(at / 1_000);
    }
    return (times.at(-1) ?? until) + 1;
  }

  #pay(blocks: readonly Block[], model: ChatRequest['model'], at: number): number {
    const pending = this.#cache.use(promptOf(blocks), model, RULES, at);
    pending.begin();
    if (model === 'main') {
      this.#expected.add({ at, parts: this.#parts(blocks), usage: null });
    }
    const cost = costOf(pending.use);
    this.#paid += cost;
    return cost;
  }

  /** Null if the cache has nothing of the last request. */
  #cachedAt({ items }: ChatRequest, now: number): Cached | null {
    const parts = this.#parts(this.#blocks);
    const { read, readUntil: expiresAt } = this.#expected.use(parts, now);
    if (expiresAt === null) {
      return null;
    }
    const { warm, cold } = costsOf(forecast(this.#expected, parts, { now, lastReplyAt: null }, PRICES));
    const kept = upTo(this.#blocks, read);
    const { warm: keepWarm } = costsOf(forecast(this.#expected, this.#parts(kept), { now, lastReplyAt: null }, PRICES));
    // After the expiry, Loupe rebuilds the prompt: the newest version of each item, without differences.
    const [tokens, rebuilt] = [tokensOf(this.#blocks), tokensOf(items)];
    const rebuildSaves = (Math.max(0, tokens - rebuilt) * PRICES.cacheRead) / PER_MILLION;
    const lifetime = ASKED_LIFETIMES[kept.at(-1)?.breakpoint ?? '5m'];
    return { kept, expiresAt, lifetime, warm, cold: (cold * Math.min(tokens, rebuilt)) / tokens, rebuildSaves, keepWarm };
  }

  #parts(blocks: readonly Block[]): PartColumns {
    const prefixes = this.#prefixes.of(blocks);
    return inColumns(blocks.map(({ tokens, breakpoint }, at) => ({ prefix: prefixes[at] ?? '', tokens, breakpoint })));
  }
}

function emptyCache(): ExpectedCache {
  const cache = expectedCache(MARKS, ASKED_LIFETIMES);
  if (cache === null) {
    throw new RangeError('The cache rules of the judge are unknown.');
  }
  return cache;
}

function costsOf({ costNow: warm, costAfter: cold }: Forecast): { readonly warm: number; readonly cold: number } {
  if (warm === null || cold === null) {
    throw new RangeError('The prices of the judge are unknown.');
  }
  return { warm, cold };
}

/** Returns the first blocks with this many tokens, with a breakpoint at their end. */
function upTo(blocks: readonly Block[], tokens: number): readonly Block[] {
  let end = 0;
  const length = blocks.findIndex((block) => (end += block.tokens) >= tokens) + 1;
  return blocks.slice(0, length).map((block, at) => (at === length - 1 ? { ...block, breakpoint: block.breakpoint ?? '5m' } : block));
}

function tokensOf(items: readonly { readonly tokens: number }[]): number {
  return items.reduce((sum, { tokens }) => sum + tokens, 0);
}
