import type { AttemptState } from '../../../engine/chat/slices/attempts.js';
import type { WholeChat } from '../../../engine/chat/state.js';
import type { Verdict } from '../../../protocol/inspector/inspector.js';
import type { ModelRegistry } from '../../models/registry.js';
import { sha256 } from '../../window/systemPorts.js';
import { type DiagnosedAttempt, Diagnoses } from '../../../engine/diagnosis/diagnoses.js';
import { BELIEVED, type ReplayPorts, type ReplayedCache, type ReplayedCaches, inputCostOf, replayLayouts, summed } from './replays.js';
import { verdictOf } from './verdict.js';
import { ASKED_LIFETIMES, type BreakpointCache, TTL_SECONDS, type Ttl } from '../../../engine/model/cacheRules.js';
import { modelKey } from '../../../engine/model/modelRef.js';
import type { Model } from '../../../engine/model/model.js';
import { type Prices, priceOfUse } from '../../../engine/model/price.js';
import { expectedCache } from '../../../engine/cache/expectedCache.js';
import { PrefixIds } from '../../../engine/cache/prefixIds.js';
import { cachedRequest, requestParts } from '../../../engine/request/requestParts.js';
import { type PastRequest, sizeOfInput } from '../../../engine/request/pastRequest.js';
import { CHAT_SETTINGS } from '../../../engine/chat/settings/config.js';
import type { Cause } from '../../../engine/diagnosis/cause.js';
import { price } from '../../../protocol/numbers.js';

export interface DiagnosisPorts extends Pick<ReplayPorts, 'counter' | 'sha256' | 'logError'> {
  readonly diagnoses: Diagnoses;
}

export function diagnosisPorts(
  models: Pick<ModelRegistry, 'list' | 'counter'>,
  { logError }: Pick<ReplayPorts, 'logError'>,
): DiagnosisPorts {
  return { diagnoses: new Diagnoses(() => models.list()), counter: models.counter.bind(models), sha256, logError };
}

/** Explains the cost of an attempt. Comparisons with other layouts take longer: see `attemptHint`. */
export function attemptVerdict(state: WholeChat, attempt: AttemptState, { diagnoses }: Pick<DiagnosisPorts, 'diagnoses'>): Verdict {
  return verdictOf(attempt, diagnoses.of(state, attempt), diagnoses.modelOf(attempt));
}

/** Returns a hint how the attempt could have cost less. Null when nothing would have cost less, and when uncertain. */
export async function attemptHint(
  state: WholeChat,
  attempt: AttemptState,
  ports: DiagnosisPorts & Pick<ReplayPorts, 'blobs'>,
): Promise<Hint | null> {
  const diagnosed = ports.diagnoses.of(state, attempt);
  return diagnosed === null ? null : hintAmong(await attemptReplays({ state, attempt, diagnosed }, ports), attempt, diagnosed);
}

/**
 * Returns the cost with other layouts and with a longer cache lifetime, as far as certain. Empty if no cached content
 * was sent again.
 */
export async function attemptReplays(
  { state, attempt, diagnosed }: Omit<LifetimeTarget, 'model'> & { readonly diagnosed: DiagnosedAttempt | null },
  { diagnoses, ...ports }: DiagnosisPorts & Pick<ReplayPorts, 'blobs'>,
): Promise<readonly ReplayedCaches[]> {
  const model = diagnoses.modelOf(attempt);
  if (model === null || diagnosed === null || diagnosed.diagnosis.again === 0) {
    return [];
  }
  const lifetime = lifetimes({ state, attempt, model }, diagnoses);
  const layouts = await replayLayouts(state, attempt, model, ports);
  return [lifetime, layouts].filter((replays) => replays !== null);
}

export function hintAmong(
  replays: readonly ReplayedCaches[],
  attempt: AttemptState,
  { diagnosis }: Pick<DiagnosedAttempt, 'diagnosis'>,
): Hint | null {
  return replays.map((each) => hintOf(attempt, diagnosis.cause, each)).find((hint) => hint !== null) ?? null;
}

interface LifetimeTarget {
  readonly state: WholeChat;
  readonly attempt: AttemptState;
  readonly model: Model;
}

function lifetimes({ state, attempt, model }: LifetimeTarget, diagnoses: Diagnoses): ReplayedCaches | null {
  const { cache } = model.capabilities;
  const cost = inputCostOf(attempt, model);
  const requests = diagnoses.upTo(state, attempt).filter((each) => modelKey(each.attempt.model) === modelKey(attempt.model));
  const before = requests.at(-2);
  const ttl = cache.kind !== 'marks' || before === undefined ? null : longerLifetime(before, cache);
  if (cache.kind !== 'marks' || model.prices === null || cost === null || ttl === null) {
    return null;
  }
  const prices = model.prices;
  const found = (lifetime: Ttl | null): ReplayedCache => {
    return { ...summed(attempt.manifest.layout, replayLifetime(requests, lifetime, cache, prices)), lifetime };
  };
  const own = found(null);
  return Math.abs(own.cost - cost) > cost * BELIEVED ? null : { own, others: [found(ttl)] };
}

/**
 * Simulates a chat's requests to one model, oldest first, with the model's cache rules. `ttl` replaces the lifetimes of
 * all breakpoints; null keeps these. Inexact, because some layouts would have made other requests.
 */
function replayLifetime(requests: readonly PastRequest[], ttl: Ttl | null, rules: BreakpointCache, prices: Prices): { cost: number }[] {
  const cache = expectedCache(rules, ASKED_LIFETIMES);
  const prefixes = new PrefixIds();
  return requests.map(({ attempt, blocks }) => {
    const breakpoints = attempt.manifest.marks.map((mark) => ({ ...mark, ttl: ttl ?? mark.ttl }));
    const parts = requestParts(cachedRequest(blocks, breakpoints), sizeOfInput(attempt), prefixes);
    const use = cache?.use(parts, attempt.startedAt);
    cache?.add({ at: attempt.startedAt, parts, usage: null });
    return { cost: use === undefined ? 0 : priceOfUse(use, prices) };
  });
}

/** Returns the provider's longest cache lifetime. Null without breakpoints, or if a breakpoint has this lifetime. */
function longerLifetime({ attempt }: PastRequest, { lifetimes }: BreakpointCache): Ttl | null {
  const longest = lifetimes.at(-1) ?? null;
  const asked = attempt.manifest.marks.map(({ ttl }) => TTL_SECONDS[ttl]);
  return longest !== null && asked.length > 0 && asked.every((seconds) => seconds < TTL_SECONDS[longest]) ? longest : null;
}

/** Minimum saving for a hint, as a share of the request's cost. */
const WORTH_TELLING = 0.1;

export interface Hint {
  readonly text: string;
  /** The layout to use instead, or null when the hint suggests a longer cache lifetime. */
  readonly layout: string | null;
}

/** Returns the largest saving by another layout or lifetime. Null if too small, or if the chat would cost more. */
function hintOf(
  attempt: AttemptState,
  cause: Cause,
  { own, others }: { readonly own: ReplayedCache; readonly others: readonly ReplayedCache[] },
): Hint | null {
  const usd = attempt.end?.cost?.usd ?? null;
  const cheaper = others.filter((each) => each.cost < own.cost && each.sum <= own.sum).toSorted((a, b) => a.cost - b.cost);
  const [best] = cheaper;
  if (usd === null || attempt.isPretended === true || best === undefined || own.cost - best.cost < usd * WORTH_TELLING) {
    return null;
  }
  const figures = `${price(usd - own.cost + best.cost)} instead of ${price(usd)}.`;
  if (best.lifetime !== null) {
    return { text: `A cache lifetime of ${LIFETIMES[best.lifetime]} would have cost less: ${figures}`, layout: null };
  }
  const isAdded = best.layout === 'adaptive' && cause.kind === 'item' && cause.change === 'changed';
  const effect = isAdded ? 'put this change at the end of the request' : 'cost less';
  return { text: `The prompt layout "${String(LABELS.get(best.layout))}" would have ${effect}: ${figures}`, layout: best.layout };
}

const LABELS = new Map<string, string>(CHAT_SETTINGS.layout.options.map(({ value, label }) => [value, label]));
const LIFETIMES = { '5m': '5 min', '30m': '30 min', '1h': '1 h' } as const;
