import { authorNames } from '../../../engine/chat/authors.js';
import { costOf } from '../../../engine/model/price.js';
import { ASKED_LIFETIMES, type Ttl } from '../../../engine/model/cacheRules.js';
import { expectedCache } from '../../../engine/cache/expectedCache.js';
import type { ChatConfig } from '../../../engine/chat/settings/config.js';
import { NOTHING_EXCLUDED } from '../../../engine/chat/excludedParts.js';
import { modelKey } from '../../../engine/model/modelRef.js';
import type { AttemptState } from '../../../engine/chat/slices/attempts.js';
import type { WholeChat } from '../../../engine/chat/state.js';
import { LayoutReplay, type ReplayResult, type ReplayedRequest } from '../../../engine/diagnosis/layoutReplay.js';
import { wasAnswered } from '../../../engine/request/pastRequest.js';
import { replaySources } from '../../../engine/diagnosis/replaySources.js';
import { BlockFactory } from '../../../engine/request/blockFactory.js';
import { LAYOUTS } from '../../../engine/request/layout/layouts.js';
import { contextRecordsOf, rebuildPrompt } from '../../../engine/request/rebuild.js';
import type { Message, SentMessage } from '../../../engine/chat/message/message.js';
import { type LoupeError, toLoupeError } from '../../../engine/errors.js';
import type { Sha256, TokenCounter } from '../../../engine/ports.js';
import type { Model } from '../../../engine/model/model.js';
import type { ContextRecord } from '../../../engine/record/manifest.js';
import type { FileLinks } from '../../../engine/repository/fileLinks.js';
import type { Blobs } from '../../../storage/blobs.js';
import { BlobTexts } from '../compose/blobTexts.js';
import { loggedMessages } from '../rebuildRequest.js';
import { TEXT_DIFFERENCES } from '../compose/textDifferences.js';

/** Maximum number of requests to replay, latest first, because each must be read completely. */
const MOST_REPLAYED = 50;

/** Maximum relative error of a replay with the chat's own layout. Above it, other replays of the chat are not used. */
export const BELIEVED = 0.05;

export interface ReplayPorts {
  readonly blobs: Pick<Blobs, 'get'>;
  readonly counter: (id: string) => Promise<TokenCounter>;
  readonly sha256: Sha256;
  logError(error: LoupeError): void;
}

/**
 * Returns what this chat up to `attempt` would have cost with each other layout. Null when uncertain: rules, prices or
 * parts of a request are unknown, or a replay with the chat's own layout gives another request or cost.
 */
export async function replayLayouts(
  state: WholeChat,
  attempt: AttemptState,
  model: Model,
  ports: ReplayPorts,
): Promise<ReplayedCaches | null> {
  const own = NAMES.find((name) => name === attempt.manifest.layout);
  const inputCost = inputCostOf(attempt, model);
  const requests = own === undefined || inputCost === null ? null : await replayed(state, attempt, model, ports);
  if (own === undefined || inputCost === null || requests === null) {
    return null;
  }
  const factory = new BlockFactory(await ports.counter(attempt.manifest.counter), ports.sha256, model.capabilities.imageTokens);
  const again = replay(own, requests, model, factory);
  const last = again.at(-1);
  const isSame = last?.promptHash === attempt.manifest.promptHash && Math.abs(last.cost - inputCost) <= inputCost * BELIEVED;
  if (!isSame) {
    return null;
  }
  const others = NAMES.filter((name) => name !== own).map((name) => summed(name, replay(name, requests, model, factory)));
  return { own: summed(own, again), others };
}

/** Returns the input cost of a request by the prices of its model, or null when unknown. */
export function inputCostOf({ end }: AttemptState, { prices }: Model): number | null {
  const usage = end?.usage ?? null;
  return usage === null ? null : (costOf({ ...usage, completionTokens: { value: 0, source: 'reported' } }, prices)?.usd ?? null);
}

/** Simulates the requests with a layout. Returns an empty list when rules or prices are unknown. */
function replay(
  layout: ChatConfig['layout'],
  requests: readonly ReplayedRequest[],
  { capabilities, prices }: Model,
  factory: BlockFactory,
): readonly ReplayResult[] {
  const cache = expectedCache(capabilities.cache, ASKED_LIFETIMES);
  if (cache === null || prices === null) {
    return [];
  }
  const running = new LayoutReplay({ layout: LAYOUTS[layout], cache, prices, factory });
  return requests.map((request) => running.next(request));
}

const NAMES = Object.keys(LAYOUTS) as readonly ChatConfig['layout'][];

export function summed(layout: string, requests: readonly Pick<ReplayResult, 'cost'>[]): ReplayedCache {
  return {
    layout,
    lifetime: null,
    cost: requests.at(-1)?.cost ?? 0,
    sum: requests.reduce((sum, { cost }) => sum + cost, 0),
    requests: requests.length,
  };
}

/** Returns all requests for replies up to `attempt`, ready for a replay. Null when a request cannot be rebuilt. */
async function replayed(
  state: WholeChat,
  attempt: AttemptState,
  model: Model,
  ports: ReplayPorts,
): Promise<readonly ReplayedRequest[] | null> {
  const all = [...state.attempts.values()];
  const wanted = all
    .slice(0, all.findIndex(({ id }) => id === attempt.id) + 1)
    .filter((each) => each.purpose === 'reply' && modelKey(each.model) === modelKey(attempt.model) && wasAnswered(each))
    .slice(-MOST_REPLAYED);
  if (wanted.some(({ manifest }) => manifest.forgotten !== undefined)) {
    return null;
  }
  try {
    return await remade(state, wanted, model, ports);
  } catch (thrown) {
    if (toLoupeError(thrown).kind === 'storage') {
      // A part of this request is missing. The inspector reports that when the user opens the request.
      return null;
    }
    throw thrown;
  }
}

async function remade(
  state: WholeChat,
  wanted: readonly AttemptState[],
  model: Model,
  ports: ReplayPorts,
): Promise<readonly ReplayedRequest[] | null> {
  const { config, attempts } = state;
  const logged = loggedMessages(state);
  const contents = new BlobTexts(ports);
  const message = (id: string): Message | undefined => logged.get(id);
  const blob = async (sha: string): Promise<string> => Buffer.from(await ports.blobs.get(sha)).toString('utf8');
  const rules = {
    model,
    attempts,
    authors: authorNames(state),
    cacheMode: 'cached',
    cacheLifetime: 'automatic',
    cacheKey: '',
    previousResponseId: () => null,
    layoutOptions: config,
    differences: TEXT_DIFFERENCES,
  } as const;
  const toolMemory = { forgetAfterConclusions: null, pinned: new Set<string>() };
  // The model accepts earlier reasoning only after the same prefix, and another layout changes the prefix.
  const isBound = model.capabilities.reasoningReplay === 'samePrefix';
  const requests: ReplayedRequest[] = [];
  // One at a time, because a chat may have thousands of blocks.
  for (const attempt of wanted) {
    const prompt = await rebuildPrompt(attempt, { attempts, message, blob }, ports.sha256);
    const made = replaySources(prompt, message, TEXT_DIFFERENCES);
    if (made === null || (isBound && made.messages.some(hasReasoning))) {
      return null;
    }
    const { missingImages, resultTexts } = await contents.of(made.messages);
    const fileLinks = linksIn(contextRecordsOf(attempt, attempts) ?? []);
    requests.push({ attempt, input: { ...made, ...rules, fileLinks, missingImages, resultTexts, toolMemory, excluded: NOTHING_EXCLUDED } });
  }
  return requests;
}

function linksIn(records: readonly ContextRecord[]): FileLinks {
  return new Map(records.flatMap(({ item, link }) => (link === undefined ? [] : [[item.name, link] as const])));
}

function hasReasoning(message: SentMessage): boolean {
  return message.role === 'assistant' && message.parts.some((part) => part.type === 'reasoning' && part.opaque !== null);
}

/** The simulated cost of requests with another layout or cache lifetime. US dollars for the input only. */
export interface ReplayedCache {
  readonly layout: string;
  /** The lifetime of all breakpoints, or null for the lifetimes that the layout chooses. */
  readonly lifetime: Ttl | null;
  /** The cost of the request that the replay ends with. */
  readonly cost: number;
  /** The cost of all simulated requests. `requests`: the number of these requests. */
  readonly sum: number;
  readonly requests: number;
}

export interface ReplayedCaches {
  /** The simulation with the chat's own layout, to compare `others` with. */
  readonly own: ReplayedCache;
  readonly others: readonly ReplayedCache[];
}
