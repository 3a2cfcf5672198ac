import { priceOfUse, type Prices } from '../model/price.js';
import type { ExpectedCache } from '../cache/expectedCache.js';
import { PrefixIds } from '../cache/prefixIds.js';
import { requestParts } from '../request/requestParts.js';
import type { AttemptState } from '../chat/slices/attempts.js';
import type { Block } from '../model/block.js';
import { withDifference } from '../record/difference.js';
import { NOTHING_SENT, type SentBlock, type Situation } from '../request/layout/situation.js';
import { FULL_MANIFEST_EVERY, type Manifest, type ManifestBlock } from '../record/manifest.js';
import { promptBlocks } from '../model/prompt.js';
import { record, type ManifestBase } from '../request/record.js';
import { draftRequest, measuredRequest, type Request, type RequestInput } from '../request/request.js';
import type { BlockFactory } from '../request/blockFactory.js';
import { sizeOfInput } from '../request/pastRequest.js';

/** A request of a chat as it was, with what it is made of. */
export interface ReplayedRequest {
  readonly attempt: AttemptState;
  readonly input: Omit<RequestInput, 'layout' | 'situation' | 'mustRebuild' | 'frozenMarks'>;
}

/** What a request would have been. */
export interface Replayed {
  readonly attemptId: string;
  /** What its input would have cost, in US dollars. */
  readonly cost: number;
  /** See `Manifest.promptHash`: that of the request itself where the replay has made the same one. */
  readonly promptHash: string;
}

/**
 * The requests of a chat as another layout would have made them, each behind the one before on its branch, through the rules of the
 * cache: layouts are pure. The tokens are corrected as the provider reported them for the real request.
 */
export class LayoutReplay {
  readonly #layout: RequestInput['layout'];
  readonly #factory: BlockFactory;
  readonly #cache: ExpectedCache;
  readonly #prices: Prices;
  readonly #prefixes = new PrefixIds();
  /** What was sent, by its number on its branch: the latest of a number is that which the next one goes on from. */
  readonly #sent = new Map<number, Sent>();
  readonly #times: { readonly runId: string | null; readonly at: number }[] = [];

  /** `cache` are rules that are known. */
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

  /** The next request, in the order in which they were sent. */
  next({ attempt, input }: ReplayedRequest): Replayed {
    const { ordinal, size: sentSize } = attempt.manifest;
    const before = this.#sent.get(ordinal - 1) ?? null;
    const situation = this.#situation(attempt, before, input);
    const draft = draftRequest({ ...input, layout: this.#layout, situation, mustRebuild: false, frozenMarks: null }, this.#factory);
    const factor = sentSize.counted === 0 ? 1 : sizeOfInput(attempt) / sentSize.counted;
    const config = { maxPromptTokens: null, reservedResponseTokens: 0 };
    const request = measuredRequest(draft, config, { calibration: { factor: 1, error: null, samples: 0 }, byProvider: null });
    const manifest = this.#keep(request, ordinal, before);
    this.#times.push({ runId: attempt.runId, at: attempt.startedAt });
    const blocks = promptBlocks(request.prompt).map(({ hash, tokens, breakpoint }) => ({ hash, tokens, ttl: breakpoint?.ttl ?? null }));
    const parts = requestParts(blocks, Math.round(request.size.counted * factor), this.#prefixes);
    const cost = priceOfUse(this.#cache.use(parts, attempt.startedAt), this.#prices);
    this.#cache.add({ at: attempt.startedAt, parts, usage: null });
    return { attemptId: attempt.id, cost, promptHash: manifest.promptHash };
  }

  #situation({ startedAt }: AttemptState, before: Sent | null, { files }: Pick<RequestInput, 'files'>): Situation {
    if (before === null) {
      return NOTHING_SENT;
    }
    const latest = this.#times.reduce((found, { at }) => Math.max(found, at), 0);
    const pauses = this.#times.flatMap(({ runId, at }, place) => {
      const earlier = this.#times[place - 1];
      return earlier === undefined || earlier.runId === runId || at < earlier.at ? [] : [at - earlier.at];
    });
    const { blocks, marks, ordinal } = before;
    return {
      last: { blocks, marks, ordinal, isSameModel: true },
      idleMs: Math.max(0, startedAt - latest),
      pauses,
      staying: new Set([...files.keys()].map((path) => `file:${path}`)),
    };
  }

  /** Keeps what the next request goes on from. */
  #keep(request: Request, ordinal: number, before: Sent | null): Manifest {
    // A whole record, which still knows since when each block is the same.
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
    this.#sent.set(ordinal, { blocks, marks: manifest.marks, ordinal });
    return manifest;
  }
}

type Sent = Pick<NonNullable<Situation['last']>, 'blocks' | 'marks' | 'ordinal'>;

/** Whether a layout may send a block again as it was: a copy of an item of the context, what has changed of one, or a piece of the system prompt. */
export function isCopy({ item, role }: Pick<Block, 'item' | 'role'>): boolean {
  return (item !== null && role === 'user') || role === 'system';
}
