import { ASKED_LIFETIMES, type CacheRules, type AutomaticCache } from '../model/cacheRules.js';
import { modelKey } from '../model/modelRef.js';
import type { Cause } from './cause.js';
import { contentCause } from './contentCause.js';
import { firstDifference, type FirstDifference } from './firstDifference.js';
import { isOfModel, parametersOf, readTokens, sizeOfInput, type PastRequest } from '../request/pastRequest.js';
import { COUNT_ERROR, coveredTokens, type SentAgain } from './sentAgain.js';
import { expectedAutomaticCache, expectedCache, type ExpectedCache } from '../cache/expectedCache.js';
import { PrefixIds } from '../cache/prefixIds.js';
import type { CachePart } from '../model/providerCache.js';
import { markedBlocks, requestParts } from '../request/requestParts.js';
import type { Prices } from '../model/price.js';

/** A request and the one before. */
export interface Compared {
  readonly before: PastRequest | null;
  readonly again: SentAgain;
  /** Where that is in what the cache had. */
  readonly difference: FirstDifference | null;
}

/** Why the cache served as much of a request as it did. */
export function causeOf(input: DiagnosisInput, compared: Compared): Cause {
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

/** Fewer tokens than these are no loss: counts are estimates, and a cache in steps never has the last one. */
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
  if (rules.kind === 'marks' && hasNoMarks(request)) {
    return { kind: 'notAsked' };
  }
  return !hasNoMarks(before) && coveredTokens(before) === 0 ? { kind: 'provider', rulesAreKnown: true } : { kind: 'first' };
}

function hasNoMarks({ attempt }: PastRequest): boolean {
  return attempt.manifest.marks.length === 0;
}

/** Why tokens that the cache had of the request before were sent anew. */
function lossOf(
  { request, earlier }: DiagnosisInput,
  { before, difference, again }: Compared & { readonly before: PastRequest },
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
  if (failed > few && !hasSameParameters(request, before)) {
    return { kind: 'parameters' };
  }
  // Where the prompt differs and the provider failed, the cause is what cost more tokens.
  if (difference !== null && failed <= again.tokens / 2) {
    return branchCause(request, before, earlier) ?? contentCause(difference, request, before);
  }
  if (failed > few || difference !== null) {
    return { kind: 'provider', rulesAreKnown: rules.kind !== 'unknown' };
  }
  return rules.kind === 'marks' ? { kind: 'marks' } : { kind: 'held' };
}

/**
 * After an edit or a new try a request goes on from an earlier one than the last. What differs from that one was changed since, and all
 * else is what had been sent then. Null where it goes on from the one before.
 */
function branchCause(request: PastRequest, before: PastRequest, earlier: readonly PastRequest[]): Cause | null {
  if (request.attempt.manifest.ordinal > before.attempt.manifest.ordinal) {
    return null;
  }
  const origins = wentOnFrom(request, earlier);
  const changes = origins.map(({ blocks }) => firstDifference(request.blocks, blocks));
  const [[origin], [change = null]] = [origins, changes];
  const isInAll = changes.every((each) => each !== null && each.block.category !== 'conversation');
  return origin === undefined || change === null || !isInAll
    ? { kind: 'edited', what: newestMessage(request, before) }
    : contentCause(change, request, origin);
}

/** What a request may go on from: the one before on its branch, and the one that it repeats. Either may be laid out as it is. */
function wentOnFrom(request: PastRequest, earlier: readonly PastRequest[]): readonly PastRequest[] {
  const { ordinal } = request.attempt.manifest;
  const newest = newestKey(request);
  const replies = earlier.filter(({ attempt }) => attempt.purpose === 'reply');
  const last = replies.findLast(({ attempt }) => attempt.manifest.ordinal === ordinal - 1);
  const repeated = replies.findLast((each) => each.attempt.manifest.ordinal === ordinal && newestKey(each) === newest);
  return [last, repeated].filter((each) => each !== undefined);
}

/** Of the newest message of the user. */
function newestKey({ blocks }: PastRequest): string | undefined {
  return blocks.findLast(({ role, source }) => role === 'user' && source.from === 'message')?.key;
}

/** Whether the newest message of the user is another one than before, or has another reply. */
function newestMessage(request: PastRequest, before: PastRequest): 'message' | 'reply' {
  const newest = newestKey(request);
  return before.blocks.some(({ key }) => key === newest) ? 'reply' : 'message';
}

interface Idle {
  readonly request: PastRequest;
  readonly before: PastRequest;
  readonly few: number;
}

/** Whether what the request before left was no longer alive, and no more was read than what still was. */
function hadExpired(own: OwnCache, { request, before, few }: Idle): boolean {
  const alive = own.read(before, request.attempt.startedAt);
  return alive < own.read(before, before.attempt.startedAt) - few && (readTokens(request.attempt) ?? 0) <= alive + few;
}

/** Whether nothing but the prompt differs in what was sent. */
function hasSameParameters({ attempt: a }: PastRequest, { attempt: b }: PastRequest): boolean {
  return parametersOf(a) === parametersOf(b);
}

/** For a model with unknown rules, only what it reads counts: no time is too long for it, and no prefix too short. */
const UNKNOWN_RULES: AutomaticCache = {
  kind: 'automatic',
  minimumTokens: 0,
  stepTokens: 1,
  lifetimeSeconds: Number.MAX_SAFE_INTEGER / 1_000,
};

/** What a chat's own requests have brought into the cache of their model, by its rules. */
class OwnCache {
  readonly #cache: ExpectedCache;
  readonly #prefixes = new PrefixIds();

  /** After these requests, oldest first. */
  constructor(requests: readonly PastRequest[], rules: CacheRules) {
    this.#cache = expectedCache(rules, ASKED_LIFETIMES) ?? expectedAutomaticCache(UNKNOWN_RULES);
    for (const request of requests) {
      const { startedAt: at, end } = request.attempt;
      this.#cache.add({ at, parts: this.#partsOf(request), usage: end?.usage ?? null });
    }
  }

  /** Tokens of a request that are read if it is sent at `at`, in epoch milliseconds. */
  read(request: PastRequest, at: number): number {
    return this.#cache.use(this.#partsOf(request), at).read;
  }

  #partsOf({ attempt, blocks }: PastRequest): readonly CachePart[] {
    return requestParts(markedBlocks(blocks, attempt.manifest.marks), sizeOfInput(attempt), this.#prefixes);
  }
}

/** What is known of a request's model: prices and rules are those of today, because no log has them. */
interface DiagnosedModel {
  readonly rules: CacheRules;
  /** Null without prices, and for a free practice model. */
  readonly prices: Prices | null;
}

export interface DiagnosisInput {
  readonly request: PastRequest;
  /** The answered requests for replies and summaries before it, of all branches and models, oldest first; enough of them for the longest life of an entry. */
  readonly earlier: readonly PastRequest[];
  /** Null for a model that is gone. */
  readonly model: DiagnosedModel | null;
}
