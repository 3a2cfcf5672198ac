import { priceOfUse, type Prices } from '../model/price.js';
import type { ExpectedCache } from '../cache/expectedCache.js';
import { PrefixIds } from '../cache/prefixIds.js';
import { cachedPrompt, requestParts } from '../request/requestParts.js';
import { itemOfContent } from '../context/fileContents.js';
import { itemKey } from '../record/item.js';
import type { AttemptState } from '../chat/slices/attempts.js';
import type { Block } from '../model/block.js';
import { withDifference } from '../record/difference.js';
import { outlivedShare } from '../request/layout/adaptive/breakpoints.js';
import { NOTHING_SENT, type SentBlock, type SentRequest, type Situation } from '../request/layout/situation.js';
import { FULL_MANIFEST_EVERY, type Manifest, type ManifestBlock } from '../record/manifest.js';
import { promptBlocks } from '../model/prompt.js';
import type { PartColumns } from '../model/providerCache.js';
import { record, type ManifestBase } from '../request/record.js';
import { unmeasuredRequest, measuredRequest, type Request, type RequestInput } from '../request/request.js';
import type { BlockFactory } from '../request/blockFactory.js';
import { sizeOfInput } from '../request/pastRequest.js';

/** A request that was sent in a chat, with the input from which Loupe built it. */
export interface ReplayedRequest {
  readonly attempt: AttemptState;
  readonly input: Omit<RequestInput, 'layout' | 'situation' | 'mustRebuild' | 'frozenBreakpoints'>;
}

export interface ReplayResult {
  readonly attemptId: string;
  /** The price of the replayed request's input in US dollars. */
  readonly cost: number;
  /** See `Manifest.promptHash`. Equal to the hash of the real request when the replay made the same prompt. */
  readonly promptHash: string;
}

/**
 * Replays the requests of a chat with another layout, and prices them by the cache rules. Each request follows the
 * previous request on its branch. This is possible because layouts are pure functions. Loupe corrects the tokens by the
 * provider's report about the real request.
 */
export class LayoutReplay {
  readonly #layout: RequestInput['layout'];
  readonly #factory: BlockFactory;
  readonly #cache: ExpectedCache;
  readonly #prices: Prices;
  readonly #prefixes = new PrefixIds();
  /** The latest replayed request for each number on the branch (`ordinal`). The next number continues it. */
  readonly #sent = new Map<number, ReplayedPrompt>();
  readonly #times: { readonly runId: string | null; readonly at: number }[] = [];

  /** `cache` must be a cache whose rules are known. */
  constructor({
    layout,
    cache,
    prices,
    factory,
  }: { layout: RequestInput['layout']; cache: ExpectedCache; prices: Prices; factory: BlockFactory }) {
    this.#layout = layout;
    this.#factory = factory;
    this.#cache = cache;
    this.#prices = prices;
  }

  /** Replays the next request. Pass requests in the order of sending. */
  next({ attempt, input }: ReplayedRequest): ReplayResult {
    const { ordinal, size: sentSize } = attempt.manifest;
    const before = this.#sent.get(ordinal - 1) ?? null;
    const situation = this.#situation(attempt, before, input);
    const draft = unmeasuredRequest(
      { ...input, layout: this.#layout, situation, mustRebuild: false, frozenBreakpoints: null },
      this.#factory,
    );
    const factor = sentSize.counted === 0 ? 1 : sizeOfInput(attempt) / sentSize.counted;
    const config = { maxPromptTokens: null, reservedResponseTokens: 0 };
    const request = measuredRequest(draft, config, { calibration: { factor: 1, error: null, samples: 0 }, byProvider: null });
    const { manifest, blocks } = this.#recorded(request, ordinal, before);
    const at = attempt.startedAt;
    this.#times.push({ runId: attempt.runId, at });
    const parts = requestParts(cachedPrompt(request.prompt), Math.round(request.size.counted * factor), this.#prefixes);
    const cost = priceOfUse(this.#cache.use(parts, at), this.#prices);
    this.#cache.add({ at, parts, usage: null });
    // The next request on the branch continues this one.
    this.#sent.set(ordinal, { blocks, marks: manifest.marks, ordinal, cached: this.#cache.cachedParts(parts, at), parts });
    return { attemptId: attempt.id, cost, promptHash: manifest.promptHash };
  }

  #situation({ startedAt }: AttemptState, before: ReplayedPrompt | null, { files }: Pick<RequestInput, 'files'>): Situation {
    if (before === null) {
      return NOTHING_SENT;
    }
    const pauses = this.#times.flatMap(({ runId, at }, place) => {
      const earlier = this.#times[place - 1];
      return earlier === undefined || earlier.runId === runId || at < earlier.at ? [] : [at - earlier.at];
    });
    const { parts, ...sent } = before;
    return {
      last: { ...sent, isSameModel: true, alive: this.#cache.cachedParts(parts, startedAt) },
      outlivedShare: outlivedShare(pauses),
      staying: new Set([...files.keys()].map((path) => itemKey(itemOfContent(path)))),
    };
  }

  #recorded(
    request: Request,
    ordinal: number,
    before: ReplayedPrompt | null,
  ): Pick<ReplayedPrompt, 'blocks'> & { readonly manifest: Manifest } {
    // This depth forces a full manifest, with all blocks. From the base, only `since` of unchanged blocks is used.
    const base: ManifestBase | null =
      before === null
        ? null
        : {
            ...{ attemptId: '', ordinal: ordinal - 1, depth: FULL_MANIFEST_EVERY },
            content: { blocks: before.blocks, context: [], forgotten: [] },
          };
    const wire = { body: '', converterVersion: '' };
    const { manifest } = record({ request, context: [], picks: null, wire, bodyHash: '', forecast: {}, base }, this.#factory.sha256);
    const recorded = withDifference<ManifestBlock>([], manifest.blocks);
    const sent = promptBlocks(request.prompt);
    const blocks = recorded.map((block, at): SentBlock => ({ ...block, part: isCopy(block) ? (sent[at]?.part ?? null) : null }));
    return { manifest, blocks };
  }
}

interface ReplayedPrompt extends Pick<SentRequest, 'blocks' | 'marks' | 'ordinal' | 'cached'> {
  readonly parts: PartColumns;
}

/** Whether a layout can send a block again unchanged: an item, a change of an item, or a system prompt part. */
export function isCopy({ item, role }: Pick<Block, 'item' | 'role'>): boolean {
  return (item !== null && role === 'user') || role === 'system';
}
