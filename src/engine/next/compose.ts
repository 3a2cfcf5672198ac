import type { TurnBand } from '../accounting/turnBand.js';
import type { Forecast } from '../cache/forecast.js';
import { unknownItems } from '../context/agentProfile.js';
import type { Model, ModelClient, WireRequest } from '../model/model.js';
import type { ContextRecord } from '../record/manifest.js';
import { arrange, newestText, withNewestText, type Arrangement } from '../request/arrange.js';
import { fittedRequest } from '../request/fit.js';
import type { Situation } from '../request/layout/situation.js';
import { refusedMembersOf, type Request, type UnmeasuredRequest } from '../request/request.js';
import { isSame } from '../same.js';
import { contextRecords, type ResolvedContext } from './resolved.js';
import { type BudgetCheck, isSameBefore, type RequestFacts, type RequestInputs } from './inputs.js';

export interface Countable {
  readonly model: Model;
  readonly client: ModelClient;
  /** Converts the request to bytes. Called after a pause in typing, because typing cancels the count. */
  readonly wire: () => WireRequest;
  /** SHA-256 (hex) of the request body. */
  readonly hash: string;
}

/** A request as Loupe would send it now. The preview, the context meter, the record and the sent bytes all use it. */
export interface ComposedRequest extends Request, BudgetCheck, Pick<RequestFacts, 'context' | 'workspace' | 'messages' | 'counting'> {
  readonly inputs: RequestInputs;
  readonly situation: Situation;
  readonly client: ModelClient;
  /** Which context items the request contains, and why other items were not selected. */
  readonly records: readonly ContextRecord[];
  /** The name of the chat's agent. Null without an agent, or when the profile of the agent cannot be read. */
  readonly agent: string | null;
  /** The name of the chat's agent if its profile is missing or unreadable. Null for a readable profile or no agent. */
  readonly missingAgent: string | null;
  /**
   * The request as the provider should count it. Null when no count is needed or possible. Contains all files as long
   * as only an estimate says that they do not fit.
   */
  readonly countable: Countable | null;
  /** The cache forecast for the request, or null when the cache behavior of the model is unknown. */
  readonly forecast: Forecast | null;
  /**
   * Returns the forecast for the same request with the tools of the last request. Null without a last request, and when
   * the cache behavior of the model is unknown. Composes the request again.
   */
  readonly forecastWithSentTools: () => Forecast | null;
  /** The expected cost of the turn that this request starts. Null without tools, and with too few known turns. */
  readonly turn: TurnBand | null;
  /** Converts the request to bytes. Called only when needed, because a preview seldom needs the bytes. */
  wire(): WireRequest;
}

/**
 * Returns the tokens of a request for views. For cached content, a forecast has the size that the provider reported.
 * Then an estimate of the whole request would not be the sum of the parts that the same view shows.
 */
export function shownTokens({ size, forecast }: Pick<ComposedRequest, 'size' | 'forecast'>): number {
  if (size.basis !== 'estimate' || forecast === null) {
    return size.tokens;
  }
  const { read, written, fresh } = forecast.parts;
  return read + written + fresh;
}

/** Returns the provider's token count of the body with this SHA-256, or null. */
export type FindCount = (hash: string) => number | null;

/** A version of the request from the search for files that fit, with the provider's token count or null. */
interface Tried {
  readonly draft: UnmeasuredRequest;
  readonly hash: string;
  readonly count: number | null;
}

/** A composed request with its inputs. Loupe composes the next request from it. */
export interface Composition {
  readonly inputs: RequestInputs;
  readonly request: Request;
  readonly arrangement: Arrangement;
  /** Empty when the provider is not asked to count. */
  readonly tried: readonly Tried[];
}

/**
 * Composes a request, or returns the request of `last` if no input has changed. While the user types, only the newest
 * message changes: then reuses the arrangement of `last` with the new text. `inputs` come from `withKnownNewest`.
 */
export function compose(inputs: RequestInputs, last: Composition | null, find: FindCount): Composition {
  const known = last !== null && isSameBefore(last.inputs, inputs) ? last : null;
  if (known !== null && isWholeSame(known, inputs, find)) {
    return { ...known, inputs };
  }
  const { factory } = inputs;
  const arrangement = (known === null ? null : retexted(known, inputs)) ?? arrange(inputs, factory);
  const tried: Tried[] = [];
  const countByProvider = (draft: UnmeasuredRequest): number | null => {
    if (!inputs.isCounted) {
      return null;
    }
    const hash = factory.sha256(countedWire(inputs, draft).body);
    const count = find(hash);
    tried.push({ draft, hash, count });
    return count;
  };
  return { inputs, request: fittedRequest(inputs, arrangement, factory, countByProvider), arrangement, tried };
}

/** Replaces the newest message with an equal object whose parts were already measured. */
export function withKnownNewest(inputs: RequestInputs, last: Composition | null): RequestInputs {
  const { messages } = inputs;
  const known = last?.inputs.messages.at(-1);
  return known !== undefined && isSame(messages.at(-1), known) ? { ...inputs, messages: messages.with(-1, known) } : inputs;
}

/** Returns the composed request as views and *Send* use it. Lists each member for speed (see `measuredRequest`). */
export function composedRequest(
  { inputs, request, tried }: Composition,
  { forecast, turn, forecastWithSentTools }: Pick<ComposedRequest, 'forecast' | 'turn' | 'forecastWithSentTools'>,
): ComposedRequest {
  const { client, situation, facts, messages } = inputs;
  const { context, agent } = facts;
  const remarks = [
    ...context.remarks,
    ...(agent.profile === null ? [] : [...agent.profile.remarks, ...unknownItems(agent.profile, context.catalog)]),
  ];
  return {
    inputs,
    client,
    situation,
    context: { ...context, tools: offeredTools(inputs, request), remarks },
    records: contextRecords(context, request),
    agent: agent.name,
    missingAgent: agent.missing,
    answered: messages.findLast(({ role }) => role === 'user')?.id ?? null,
    countable: countable(inputs, tried),
    forecast,
    forecastWithSentTools,
    turn,
    wire: () => wireOf(inputs, request, request.params.maxOutputTokens),
    isLimitLearned: facts.isLimitLearned,
    isLimitAssumed: facts.isLimitAssumed,
    isPartial: facts.isPartial,
    pinned: facts.pinned,
    messages: facts.messages,
    counting: facts.counting,
    workspace: facts.workspace.filter(({ key }) => !request.cuts.has(key)),
    params: request.params,
    budget: request.budget,
    excess: request.excess,
    size: request.size,
    framingTokens: request.framingTokens,
    inputCost: request.inputCost,
    cacheParams: request.cacheParams,
    model: request.model,
    prompt: request.prompt,
    layout: request.layout,
    offersTools: request.offersTools,
    cuts: request.cuts,
    repeated: request.repeated,
    forgotten: request.forgotten,
    excludedTurns: request.excludedTurns,
    adaptations: request.adaptations,
    toolNames: request.toolNames,
    ends: request.ends,
    imageLimits: request.imageLimits,
    onDemand: request.onDemand,
  };
}

export function offeredTools({ facts }: RequestInputs, { offersTools }: Request): ResolvedContext['tools'] {
  return offersTools ? facts.context.tools : [];
}

function wireOf(
  { client, model, images }: RequestInputs,
  { prompt, cacheParams }: Pick<Request, 'prompt' | 'cacheParams'>,
  maxOutputTokens: number | null,
): WireRequest {
  return client.convert(model, prompt, { maxOutputTokens, extraBody: model.extraBody, ...cacheParams, ...refusedMembersOf(model) }, images);
}

/**
 * Returns the bytes for the provider's token count. The output limit is the model's own limit: the limit that will be
 * sent depends on the count, and providers do not count the limit.
 */
function countedWire(inputs: RequestInputs, draft: UnmeasuredRequest): WireRequest {
  return wireOf(inputs, draft, inputs.model.maxOutputTokens);
}

/** Returns the request to count next: the first tried request without a count, otherwise the last. */
function countable(inputs: RequestInputs, tried: readonly Tried[]): Countable | null {
  const next = tried.find(({ count }) => count === null) ?? tried.at(-1);
  const { model, client } = inputs;
  return next === undefined ? null : { model, client, hash: next.hash, wire: () => countedWire(inputs, next.draft) };
}

/** Returns whether the inputs give the known request again. Call it only if `isSameBefore` is true. */
function isWholeSame({ inputs, request, tried }: Composition, now: RequestInputs, find: FindCount): boolean {
  const { cacheParams } = request;
  // Searches the last response id only if the request contains such an id, because the search reads all attempts.
  const isSameBase = !('previousResponseId' in cacheParams) || cacheParams.previousResponseId === now.previousResponseId();
  return inputs.messages.at(-1) === now.messages.at(-1) && isSameBase && tried.every(({ hash, count }) => find(hash) === count);
}

/** Returns the last arrangement with the new text of the newest message, or null when other things changed too. */
function retexted({ inputs, arrangement }: Composition, now: RequestInputs): Arrangement | null {
  const newest = newestText(now);
  return newest !== null && newestText(inputs)?.id === newest.id ? withNewestText(arrangement, newest, now.factory) : null;
}
