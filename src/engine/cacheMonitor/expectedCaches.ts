import { billedPrices, type Prices } from '../model/price.js';
import type { ChatState } from '../chat/state.js';
import { UntilChange } from '../chat/untilChange.js';
import type { AttemptState } from '../chat/slices/attempts.js';
import type { Block } from '../model/block.js';
import { isSameRef, modelKey, type ModelRef } from '../model/modelRef.js';
import type { PartColumns } from '../model/providerCache.js';
import type { AutomaticCache, CacheRules } from '../model/cacheRules.js';
import { expectedAutomaticCache, expectedCache, type AnsweredRequest, type ExpectedCache } from '../cache/expectedCache.js';
import { forecast, type Forecast } from '../cache/forecast.js';
import { wasAnswered } from '../request/pastRequest.js';
import { PrefixIds } from '../cache/prefixIds.js';
import { cachedPrompt, cachedRequest, requestParts } from '../request/requestParts.js';
import { ManifestContents } from '../request/manifestContents.js';
import type { Request } from '../request/request.js';
import type { Model } from '../model/model.js';
import { isSame } from '../same.js';
import { CacheMonitor, type Observations, type ObservedRules } from './cacheMonitor.js';
import { chargesOf, type Charges } from './charges.js';
import { bySending, latestRequests, monitoredRequest, MOST_READ, recordedRequest, type RecordedRequest } from './recordedRequests.js';
import type { MonitoredRequest } from './trials.js';

/**
 * Maximum number of request parts in memory, about 16 bytes each. Loupe processes all of them again when the user opens
 * a chat with older requests.
 */
const MOST_PARTS = 200_000;

/** Maximum number of different prefixes, about 150 bytes each. Beyond the maximum, Loupe forgets all of them. */
const MOST_PREFIXES = 100_000;

/**
 * Assumed rules for layouts while the cache rules are unknown. If the provider has no cache, it costs little to keep
 * sent text in its place. If it has a cache, it would cost much to rewrite that text.
 */
const ASSUMED_RULES: AutomaticCache = { kind: 'automatic', minimumTokens: 0, stepTokens: 1, lifetimeSeconds: 300 };

/** How many blocks at the beginning of a sent request were in the provider's cache. */
export interface CachedBlocks {
  /** When the provider had read the request. */
  readonly cached: number;
  /** Now. */
  readonly alive: number;
}

interface ModelCache {
  /** The cache rules as configured. `observed` has the corrected rules. */
  readonly rules: CacheRules;
  readonly prefixes: PrefixIds;
  /** Ids of ended attempts that need no more processing. */
  readonly seen: Set<string>;
  /** Chats that have not changed since Loupe processed their requests. Checked at each key press. */
  readonly noted: UntilChange<void>;
  /** Number of attempts at the start of each chat that Loupe can skip. A long chat has thousands. */
  readonly passed: WeakMap<ChatState['attempts'], number>;
  /** The parts of sent requests, by their blocks. Each key press needs those of the last request. */
  readonly sent: WeakMap<readonly unknown[], PartColumns>;
  /** The requests of closed chats that were processed. */
  closed: readonly RecordedRequest[];
  requests: readonly MonitoredRequest[];
  monitor: CacheMonitor;
  observed: ObservedRules;
  /** The expected cache content, by `ASSUMED_RULES` if the cache behavior is unknown and no read was reported yet. */
  cache: ExpectedCache;
  /** Billed prices compared with the model's prices. Computed on first use, null before that. */
  charges: { readonly prices: Prices; readonly found: Charges | null } | null;
}

/** The likely content and behavior of the providers' caches. All chats with the same model share one cache. */
export class ExpectedCaches {
  readonly #known = new Map<string, ModelCache>();
  /** Contents of the requests of each chat. Each record in the log needs the content of the request before. */
  readonly #contents = new WeakMap<ChatState['attempts'], ManifestContents>();
  /** The latest requests of closed chats, by model key. */
  readonly #closed = new Map<string, readonly RecordedRequest[]>();

  /** Adds requests of a closed chat to the model with this key. */
  remember(model: string, requests: readonly RecordedRequest[]): void {
    this.#closed.set(model, latestRequests(this.#closed.get(model) ?? [], requests));
  }

  /** Processes requests to this model that ended since the last call: those of the chat, and those of closed chats. */
  takeNote({ ref, capabilities }: Pick<Model, 'ref' | 'capabilities'>, chat: Pick<ChatState, 'chatId' | 'attempts'>): ModelCache {
    const key = modelKey(ref);
    const known = this.#of(key, capabilities.cache);
    takeClosed(known, this.#closed.get(key) ?? known.closed);
    const { chatId, attempts } = chat;
    known.noted.of(chat, () => {
      takeNote(known, ref, { chatId, attempts, contents: this.#contentsOf(attempts) });
    });
    return known;
  }

  /** Returns the cache forecast for a request at `now` (epoch ms), or null when the cache behavior is unknown. */
  forecast(
    request: Pick<Request, 'prompt' | 'size' | 'model'>,
    chat: Pick<ChatState, 'chatId' | 'attempts'>,
    now: number,
  ): Forecast | null {
    const { model, prompt, size } = request;
    const known = this.takeNote(model, chat);
    if (known.observed.rules.kind === 'unknown') {
      return null;
    }
    const parts = requestParts(cachedPrompt(prompt), size.tokens, known.prefixes);
    return forecast(known.cache, parts, { now, lastReplyAt: lastReplyAt(known, chat) }, model.prices);
  }

  /** Returns how much of a sent request the cache of a model has. The provider is writing a request without an end. */
  cachedBlocks(
    { attempt, blocks }: { readonly attempt: AttemptState; readonly blocks: readonly Pick<Block, 'hash' | 'tokens'>[] },
    model: Pick<Model, 'ref' | 'capabilities'>,
    chat: Pick<ChatState, 'chatId' | 'attempts'>,
    now: number,
  ): CachedBlocks {
    const known = this.takeNote(model, chat);
    const { startedAt: at, manifest, end } = attempt;
    const parts = known.sent.get(blocks) ?? requestParts(cachedRequest(blocks, manifest.marks), manifest.size.tokens, known.prefixes);
    known.sent.set(blocks, parts);
    const isRunning = end === null && isSameRef(attempt.model, model.ref);
    const cache = isRunning ? cacheWith({ at, parts, usage: null }, known.observed) : known.cache;
    return { cached: cache.cachedParts(parts, at), alive: cache.cachedParts(parts, now) };
  }

  /** Returns what Loupe observed of a model's cache, or null before the first request. */
  observations(ref: ModelRef): Observations | null {
    return this.#known.get(modelKey(ref))?.monitor ?? null;
  }

  /** Compares the billed costs with the prices of a model. Null when no cost was reported or the model is free. */
  charges({ ref, prices }: Pick<Model, 'ref' | 'prices'>): Charges | null {
    const known = this.#known.get(modelKey(ref));
    const billed = billedPrices(prices);
    if (known === undefined || billed === null) {
      return null;
    }
    if (known.charges === null || !isSame(known.charges.prices, billed)) {
      known.charges = { prices: billed, found: chargesOf(known.requests, billed) };
    }
    return known.charges.found;
  }

  #contentsOf(attempts: ChatState['attempts']): ManifestContents {
    const known = this.#contents.get(attempts);
    if (known !== undefined) {
      return known;
    }
    const contents = new ManifestContents(attempts);
    this.#contents.set(attempts, contents);
    return contents;
  }

  #of(key: string, rules: CacheRules): ModelCache {
    const known = this.#known.get(key);
    if (known !== undefined && isSame(known.rules, rules) && known.prefixes.size <= MOST_PREFIXES) {
      return known;
    }
    const monitor = new CacheMonitor(rules);
    const observed = monitor.observedRules;
    const cache = emptyCache(observed);
    const taken = { seen: new Set<string>(), noted: new UntilChange<void>(), passed: new WeakMap<ChatState['attempts'], number>() };
    const sent = new WeakMap<readonly unknown[], PartColumns>();
    const made = { ...taken, sent, prefixes: new PrefixIds(), closed: [], requests: [], rules, monitor, observed, cache, charges: null };
    this.#known.set(key, made);
    return made;
  }
}

interface Chat extends Pick<ChatState, 'chatId' | 'attempts'> {
  readonly contents: ManifestContents;
}

function takeNote(known: ModelCache, ref: ModelRef, chat: Chat): void {
  const { seen } = known;
  const ended: AttemptState[] = [];
  // A loop without callbacks, because a long chat has thousands of attempts.
  for (const attempt of notPassed(known, chat)) {
    if (attempt.end !== null && isSameRef(attempt.model, ref) && !seen.has(attempt.id)) {
      ended.push(attempt);
    }
  }
  const answered = ended
    .filter(wasAnswered)
    .slice(-MOST_READ)
    .flatMap((attempt) => recordedRequest(attempt, chat.contents, chat.chatId) ?? []);
  for (const { id } of ended) {
    seen.add(id);
  }
  learn(known, answered);
}

function takeClosed(known: ModelCache, closed: readonly RecordedRequest[]): void {
  if (known.closed !== closed) {
    known.closed = closed;
    const fresh = closed.filter(({ attemptId }) => !known.seen.has(attemptId));
    for (const { attemptId } of fresh) {
      known.seen.add(attemptId);
    }
    learn(known, fresh);
  }
}

/** Returns the attempts of a chat, from the first attempt that had not ended at the last call. */
function notPassed({ passed }: ModelCache, { attempts }: Chat): readonly AttemptState[] {
  const from = passed.get(attempts) ?? 0;
  const rest = [...attempts.values()].slice(from);
  const open = rest.findIndex(({ end }) => end === null);
  passed.set(attempts, from + (open === -1 ? rest.length : open));
  return rest;
}

/**
 * Learns from answered requests. If older requests arrive, sorts and processes all requests again. If the observed
 * rules change, computes the expected cache content again.
 */
function learn(known: ModelCache, recorded: readonly RecordedRequest[]): void {
  if (recorded.length === 0) {
    return;
  }
  const answered = recorded.map((request) => monitoredRequest(request, known.prefixes)).toSorted(bySending);
  const [[first], last] = [answered, known.requests.at(-1)];
  const isInOrder = first === undefined || last === undefined || bySending(last, first) < 0;
  const all = [...known.requests, ...answered];
  known.requests = newest(isInOrder ? all : all.toSorted(bySending));
  known.charges = null;
  known.monitor = isInOrder ? known.monitor : new CacheMonitor(known.rules);
  for (const request of isInOrder ? answered : known.requests) {
    known.monitor.take(request);
  }
  const observed = known.monitor.observedRules;
  if (isInOrder && isSame(observed, known.observed)) {
    fill(known, answered);
    return;
  }
  known.observed = observed;
  known.cache = emptyCache(observed);
  fill(known, known.requests);
}

/** Adds old requests too: the sizes and lifetimes that replies report stay valid after the content has expired. */
function fill({ cache }: ModelCache, requests: readonly MonitoredRequest[]): void {
  for (const request of requests) {
    cache.add(request);
  }
}

function emptyCache({ rules, lifetimes }: ObservedRules): ExpectedCache {
  return expectedCache(rules, lifetimes) ?? expectedAutomaticCache(ASSUMED_RULES);
}

function cacheWith(request: AnsweredRequest, observed: ObservedRules): ExpectedCache {
  const cache = emptyCache(observed);
  cache.add(request);
  return cache;
}

/** Returns when the chat sent its last answered request for a reply to the model, in epoch ms. Null without one. */
function lastReplyAt({ requests }: ModelCache, { chatId, attempts }: Pick<ChatState, 'chatId' | 'attempts'>): number | null {
  return requests.findLast((sent) => sent.chatId === chatId && attempts.get(sent.attemptId)?.purpose === 'reply')?.at ?? null;
}

function newest(requests: readonly MonitoredRequest[]): readonly MonitoredRequest[] {
  let parts = 0;
  const from = requests.findLastIndex((request) => (parts += request.parts.ends.length) > MOST_PARTS);
  return requests.slice(from + 1);
}
