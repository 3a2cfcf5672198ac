import type { ChatState } from '../../../engine/chat/state.js';
import { splitAtCheckpoint } from '../../../engine/chat/checkpoint.js';
import { idleOffers, LEAST_SAVING, paysAfterExpiry, type IdleOffer, type SummaryCosts } from '../../../engine/cache/idleOffers.js';
import { forecastPlan } from '../../../engine/compaction/forecast.js';
import { compactionRange } from '../../../engine/compaction/range.js';
import { isWatched } from '../../../engine/compaction/settings.js';
import { savingPerRequest } from '../../../engine/compaction/summaryPrice.js';
import { billedPrices, PER_MILLION, priceOfUse, ratesOf, type Prices } from '../../../engine/model/price.js';
import { modelKey } from '../../../engine/model/modelRef.js';
import { promptBreakpoints } from '../../../engine/model/prompt.js';
import type { CacheUse } from '../../../engine/model/providerCache.js';
import { KEEP_WARM_TEXT, keepWarmRequest, type KeepWarmRequest } from '../../../engine/next/keepWarm.js';
import { type ComposedRequest, shownTokens } from '../../../engine/next/compose.js';
import type { ModelLearning } from '../../../engine/next/learned.js';
import { turnTimes } from '../../../engine/next/situation.js';
import type { Clock } from '../../../engine/ports.js';
import { scaledTokens } from '../../../engine/record/requestSize.js';
import type { ChatNext } from '../chatNext.js';
import type { SummaryRequests } from '../summary/summaryRequests.js';

export interface IdleFiguresPorts {
  readonly clock: Pick<Clock, 'now'>;
  readonly next: Pick<ChatNext, 'withoutDraft' | 'asOf' | 'withInstruction' | 'previewAs'>;
  readonly requests: Pick<SummaryRequests, 'next' | 'source'>;
  readonly learned: Pick<ModelLearning, 'caches' | 'notKeptWarm'>;
}

/** A summary that Loupe would write now, up to the message `upTo`. */
interface PricedSummary extends SummaryCosts {
  readonly upTo: string;
  /** How much less each later request costs, if the provider reads it from its cache. In US dollars. */
  readonly saving: number;
}

/** A chat with a cache, and the costs of its next request in US dollars. `expiresAt`: epoch ms. `lifetime`: ms. */
export interface CachedChat {
  readonly kind: 'cached';
  readonly expiresAt: number;
  readonly lifetime: number;
  readonly warm: number;
  readonly cold: number;
  readonly composed: ComposedRequest;
  readonly prices: Prices;
}

/** A chat whose cache has expired. `more`: how much more the next request costs for that reason, in US dollars. */
export interface ExpiredChat {
  readonly kind: 'expired';
  readonly more: number;
  /** Null if no summary pays before the next request. */
  readonly summary: PricedSummary | null;
}

/** What pays before the cache of a chat expires. Costs are in US dollars. */
export interface OfferedActions {
  readonly kind: 'offered';
  /** Tokens of the next request, without a draft. */
  readonly tokens: number;
  readonly expiresAt: number;
  /** The cost of the next request after the expiry. */
  readonly cold: number;
  /** Cheapest expected cost first. */
  readonly offers: readonly IdleOffer[];
  /** The last message that a summary would replace. Null without a summary. */
  readonly upTo: string | null;
}

/**
 * Returns the cache of a chat. Null if nothing was cached, if the lifetime of the cache or a price is unknown, or if
 * the model is free. Sends nothing. Rejects with `modelGone`.
 */
export async function cacheOf(state: ChatState, ports: IdleFiguresPorts): Promise<CachedChat | ExpiredChat | null> {
  const composed = await ports.next.withoutDraft(state);
  const prices = billedPrices(composed.model.prices);
  // The panel may have composed the request before the expiry.
  const forecast = ports.learned.caches.forecast(composed, state, ports.clock.now());
  if (prices === null || composed.isPartial || forecast === null || forecast.costNow === null || forecast.costAfter === null) {
    return null;
  }
  const { expiresAt, lifetime, costNow: warm, costAfter: cold } = forecast;
  if (expiresAt === null || lifetime === null) {
    return expiredChat(state, { composed, prices, costNow: warm }, ports);
  }
  // A longer time than the lifetime means that the system clock was set back. Then the expiry is unknown.
  const isKnown = expiresAt - ports.clock.now() <= lifetime;
  return isKnown ? { kind: 'cached', expiresAt, lifetime, warm, cold, composed, prices } : null;
}

async function expiredChat(
  state: ChatState,
  { composed, prices, costNow }: Pick<CachedChat, 'composed' | 'prices'> & { readonly costNow: number },
  ports: IdleFiguresPorts,
): Promise<ExpiredChat | null> {
  const times = turnTimes(state.attempts);
  // Before the expiry, the layout would have kept what the provider had cached.
  const before = await ports.next.asOf(state, times.latest);
  const forecast = ports.learned.caches.forecast(before, state, times.latest);
  const more = costNow - (forecast?.costNow ?? costNow);
  if (more < LEAST_SAVING) {
    return null;
  }
  const summary = await summaryOf(state, { composed, prices }, ports);
  const chat = { cold: costNow, replies: repliesOf(state), pauses: times.pauses, lifetime: forecast?.lifetime ?? 0 };
  return {
    kind: 'expired',
    more,
    summary: summary !== null && paysAfterExpiry({ ...chat, summary, saving: summary.saving }) ? summary : null,
  };
}

function repliesOf({ attempts }: ChatState): number {
  return [...attempts.values()].filter(({ purpose }) => purpose === 'reply').length;
}

/** Returns what pays before the cache expires. Null if nothing does. Sends nothing. */
export async function offersFor(state: ChatState, chat: CachedChat, ports: IdleFiguresPorts): Promise<OfferedActions | null> {
  const { composed, expiresAt, lifetime, warm, prices } = chat;
  const { model, size } = composed;
  const times = turnTimes(state.attempts);
  // After the expiry, Loupe rebuilds the prompt, because that then costs nothing extra.
  const rebuilt = await ports.next.previewAs((before) => ({ ...before, relayoutAsked: true }), null);
  const cold = Math.min(chat.cold, rebuilt.forecast?.costAfter ?? chat.cold);
  const keepWarm = ports.learned.notKeptWarm.has(modelKey(model.ref)) ? null : await keepWarmOf(state, ports);
  const summary = await summaryOf(state, chat, ports);
  const now = ports.clock.now();
  const { offers } = idleOffers({
    pauses: times.pauses,
    idle: Math.max(0, now - times.latestReply),
    left: Math.max(0, expiresAt - now),
    ...{ lifetime, warm, cold },
    rebuildSaves: (Math.max(0, size.tokens - rebuilt.size.tokens) * ratesOf(prices, size.tokens).cacheRead) / PER_MILLION,
    replies: repliesOf(state),
    keepWarm: keepWarm?.cost ?? null,
    summary,
  });
  return offers.length === 0
    ? null
    : { kind: 'offered', tokens: shownTokens(composed), expiresAt, cold, offers, upTo: summary?.upTo ?? null };
}

/** Returns the request that keeps the cache of the chat. Null if no request can, without writing to the cache. */
export async function keepWarmOf(state: ChatState, { next }: Pick<IdleFiguresPorts, 'next'>): Promise<KeepWarmRequest | null> {
  const composed = await next.withInstruction(state, KEEP_WARM_TEXT);
  return composed.excess !== null || composed.isPartial ? null : keepWarmRequest(composed);
}

/** Returns the summary that Loupe would write now by the settings of the chat. Null if there is nothing to replace. */
async function summaryOf(
  state: ChatState,
  { composed, prices }: Pick<CachedChat, 'composed' | 'prices'>,
  { requests }: IdleFiguresPorts,
): Promise<PricedSummary | null> {
  if (splitAtCheckpoint(state).lacksSome) {
    return null;
  }
  const { settings, load, history } = await requests.next(state);
  const plan = forecastPlan({ settings, isWatched: isWatched(state.config) }, history);
  if (plan === null) {
    return null;
  }
  const mostTokens = Math.min(plan.summaryTokens, settings.mostSummaryTokens);
  const source = await requests.source(state, compactionRange(state, plan.to), mostTokens);
  const { usd: write } = await source.cost();
  const before = load.fixedTokens + load.historyTokens;
  const after = before - scaledTokens(plan.tokens, composed.size) + mostTokens;
  const saving = savingPerRequest({ before, after, isCached: true }, prices);
  return write === null ? null : { write, next: priceOfUse(uncachedUse(after, composed), prices), saving, upTo: plan.to };
}

/** Returns the use of a request that reads nothing from the cache, and ends with the breakpoint of `composed`. */
function uncachedUse(tokens: number, { prompt }: ComposedRequest): CacheUse {
  const ttl = promptBreakpoints(prompt).at(-1)?.ttl;
  const of = (isHere: boolean): number => (isHere ? tokens : 0);
  return { read: 0, written5m: of(ttl === '5m'), written1h: of(ttl === '1h'), fresh: of(ttl === undefined) };
}
