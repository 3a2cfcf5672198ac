import { ASKED_LIFETIMES, type CacheRules, type AutomaticCache } from '../model/cacheRules.js';
import { modelKey } from '../model/modelRef.js';
import type { Cause } from './cause.js';
import { type ComparedRequest, contentCause } from './contentCause.js';
import { firstDifference, type FirstDifference } from './firstDifference.js';
import { isOfModel, parametersOf, readTokens, sizeOfInput, type PastRequest } from '../request/pastRequest.js';
import { COUNT_ERROR, coveredTokens, type ResentTokens } from './sentAgain.js';
import { expectedAutomaticCache, expectedCache, type ExpectedCache } from '../cache/expectedCache.js';
import { PrefixIds } from '../cache/prefixIds.js';
import type { PartColumns } from '../model/providerCache.js';
import { cachedRequest, requestParts } from '../request/requestParts.js';
import type { Prices } from '../model/price.js';

export interface RequestComparison {
  readonly before: PastRequest | null;
  readonly again: ResentTokens;
  /** The first difference within the cached part. Null if nothing differs there. */
  readonly difference: FirstDifference | null;
}

export function causeOf(input: DiagnosisInput, compared: RequestComparison): Cause {
  const { request, model } = input;
  const { before, again } = compared;
  if (before === null) {
    return { kind: 'first' };
  }
  const rules = model?.rules ?? { kind: 'unknown' };
  if (again.tokens <= fewTokens(request, rules)) {
    return nothingLost(request, before, rules);
  }
  if (!isOfModel(before, request)) {
    return { kind: 'modelChanged', from: modelKey(before.attempt.model) };
  }
  return lossOf(input, { ...compared, before }, rules);
}

/** Returns how many lost tokens are ignored, because counts are estimates, and some caches work in steps. */
function fewTokens({ attempt }: PastRequest, rules: CacheRules): number {
  return sizeOfInput(attempt) * COUNT_ERROR + (rules.kind === 'automatic' ? rules.stepTokens : 0);
}

function nothingLost(request: PastRequest, before: PastRequest, rules: CacheRules): Cause {
  if ((readTokens(request.attempt) ?? 0) > 0) {
    return { kind: 'held' };
  }
  if (rules.kind === 'none') {
    return { kind: 'noCache' };
  }
  const least = rules.kind === 'unknown' ? 0 : rules.minimumTokens;
  if (Math.min(sizeOfInput(before.attempt), sizeOfInput(request.attempt)) < least) {
    return { kind: 'belowMinimum', minimumTokens: least };
  }
  if (rules.kind === 'marks' && hasNoBreakpoints(request)) {
    return { kind: 'notAsked' };
  }
  return !hasNoBreakpoints(before) && coveredTokens(before) === 0 ? { kind: 'provider', rulesAreKnown: true } : { kind: 'first' };
}

function hasNoBreakpoints({ attempt }: PastRequest): boolean {
  return attempt.manifest.marks.length === 0;
}

/** Returns why the provider did not read tokens of the previous request that were in its cache. */
function lossOf(
  { request, earlier }: DiagnosisInput,
  { before, difference, again }: RequestComparison & { readonly before: PastRequest },
  rules: CacheRules,
): Cause {
  const few = fewTokens(request, rules);
  const own = new OwnCache(
    earlier.filter((each) => isOfModel(each, request)),
    rules,
  );
  if (hadExpired(own, { request, before, few })) {
    return { kind: 'expired', idleMs: request.attempt.startedAt - before.attempt.startedAt };
  }
  const failed = own.read(request, request.attempt.startedAt) - (readTokens(request.attempt) ?? 0);
  if (failed > few && parametersOf(request.attempt) !== parametersOf(before.attempt)) {
    return { kind: 'parameters' };
  }
  // If the prompt differs and the provider also read too little, the cause that lost more tokens is returned.
  if (difference !== null && failed <= again.tokens / 2) {
    const cause = branchCause({ request, before, few }, earlier, own);
    return cause ?? contentCause(difference, contentOf(request), contentOf(before));
  }
  if (failed > few || difference !== null) {
    return { kind: 'provider', rulesAreKnown: rules.kind !== 'unknown' };
  }
  return rules.kind === 'marks' ? { kind: 'marks' } : { kind: 'held' };
}

function contentOf({ attempt, ...content }: PastRequest): ComparedRequest {
  return { ...content, layout: attempt.manifest.layout };
}

/**
 * Returns the cause after an edit or a retry, or null for other requests. A request after an edit or retry continues an
 * older request, not the previous request. So Loupe compares it with the older request to find the changed blocks. If
 * the older request had expired, other changes cost nothing.
 */
function branchCause({ request, before, few }: ExpiryCheck, earlier: readonly PastRequest[], own: OwnCache): Cause | null {
  if (request.attempt.manifest.ordinal > before.attempt.manifest.ordinal) {
    return null;
  }
  const origins = possibleOrigins(request, earlier);
  const changes = origins.map(({ blocks }) => firstDifference(request.blocks, blocks));
  const [[origin], [change = null]] = [origins, changes];
  const isInAll = changes.every((each) => each !== null && each.block.category !== 'conversation');
  return origin === undefined || change === null || !isInAll || hadExpired(own, { request, before: origin, few })
    ? { kind: 'edited', what: newestMessage(request, before) }
    : contentCause(change, contentOf(request), contentOf(origin));
}

/** Returns the requests that `request` may continue: the previous request on its branch, or a request it repeats. */
function possibleOrigins(request: PastRequest, earlier: readonly PastRequest[]): readonly PastRequest[] {
  const { ordinal } = request.attempt.manifest;
  const newest = newestKey(request);
  const replies = earlier.filter(({ attempt }) => attempt.purpose === 'reply');
  const last = replies.findLast(({ attempt }) => attempt.manifest.ordinal === ordinal - 1);
  const repeated = replies.findLast((each) => each.attempt.manifest.ordinal === ordinal && newestKey(each) === newest);
  return [last, repeated].filter((each) => each !== undefined);
}

function newestKey({ blocks }: PastRequest): string | undefined {
  return blocks.findLast(({ role, source }) => role === 'user' && source.from === 'message')?.key;
}

/** Returns `reply` if the previous request already contained the user's newest message, otherwise `message`. */
function newestMessage(request: PastRequest, before: PastRequest): 'message' | 'reply' {
  const newest = newestKey(request);
  return before.blocks.some(({ key }) => key === newest) ? 'reply' : 'message';
}

interface ExpiryCheck {
  readonly request: PastRequest;
  readonly before: PastRequest;
  readonly few: number;
}

/** Whether entries of the previous request had expired, and the provider read at most the entries that remained. */
function hadExpired(own: OwnCache, { request, before, few }: ExpiryCheck): boolean {
  const alive = own.read(before, request.attempt.startedAt);
  return alive < own.read(before, before.attempt.startedAt) - few && (readTokens(request.attempt) ?? 0) <= alive + few;
}

/** Rules for a model with unknown cache rules: every prefix is cached forever, so only reported cache reads decide. */
const UNKNOWN_RULES: AutomaticCache = {
  kind: 'automatic',
  minimumTokens: 0,
  stepTokens: 1,
  lifetimeSeconds: Number.MAX_SAFE_INTEGER / 1_000,
};

/** The expected cache of one model after the earlier requests of this chat, without requests of other chats. */
class OwnCache {
  readonly #cache: ExpectedCache;
  readonly #prefixes = new PrefixIds();

  /** `requests` are sorted from the oldest to the newest. */
  constructor(requests: readonly PastRequest[], rules: CacheRules) {
    this.#cache = expectedCache(rules, ASKED_LIFETIMES) ?? expectedAutomaticCache(UNKNOWN_RULES);
    for (const request of requests) {
      const { startedAt: at, end } = request.attempt;
      this.#cache.add({ at, parts: this.#partsOf(request), usage: end?.usage ?? null });
    }
  }

  /** Returns how many tokens of a request are read if it is sent at `at`, in epoch milliseconds. */
  read(request: PastRequest, at: number): number {
    return this.#cache.use(this.#partsOf(request), at).read;
  }

  #partsOf({ attempt, blocks }: PastRequest): PartColumns {
    return requestParts(cachedRequest(blocks, attempt.manifest.marks), sizeOfInput(attempt), this.#prefixes);
  }
}

/** Cache rules and prices of a request's model. Both are today's, because the log does not store them. */
interface DiagnosedModel {
  readonly rules: CacheRules;
  /** The prices of the model; null if they are unknown, and for a free practice model. */
  readonly prices: Prices | null;
}

export interface DiagnosisInput {
  readonly request: PastRequest;
  /** Answered requests for replies and summaries, oldest first, at least those within the longest cache lifetime. */
  readonly earlier: readonly PastRequest[];
  /** The model of the request; null when the model is no longer configured. */
  readonly model: DiagnosedModel | null;
}
