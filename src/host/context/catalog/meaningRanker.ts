import { MadeRequests, UNKNOWN_USE } from '../../../engine/accounting/madeRequests.js';
import { modelKey } from '../../../engine/model/modelRef.js';
import type { SideRequests } from '../../../engine/chat/slices/sideRequests.js';
import type { ChatState } from '../../../engine/chat/state.js';
import type { CatalogItem } from '../../../engine/context/catalogItem.js';
import { fuse } from '../../../engine/context/rank/fusion.js';
import type { Score } from '../../../engine/context/rank/lexical.js';
import {
  LONGEST_EMBEDDED,
  SCALE_TEXTS,
  type UnitVector,
  cosine,
  embeddedText,
  meaningScale,
  unitVector,
} from '../../../engine/context/rank/meaning.js';
import type { SelectionRecord } from '../../../engine/record/manifest.js';
import { isRanked } from '../../../engine/context/select.js';
import { type LoupeError, failure, toErrorRecord, toLoupeError } from '../../../engine/errors.js';
import type { Clock, Sha256 } from '../../../engine/ports.js';
import type { Embedder } from '../../../providers/endpoint.js';
import type { CatalogSource, RankingScope } from './workspaceCatalog.js';
import { isTurnedDown } from '../../../engine/chat/billedUsage.js';
import { chargeOf } from '../../../engine/model/price.js';
import { NO_FIGURES, type Usage } from '../../../engine/model/usage.js';
import type { HttpExchange } from '../../../engine/model/httpExchange.js';
import { ROUGH_COUNTER } from '../../../engine/tokens/roughCounter.js';

/** Texts per request: the limit of the strictest server, Text Embeddings Inference (`--max-client-batch-size`). */
export const TEXTS_AT_ONCE = 32;

/** The vectors of texts, and the number of texts that Loupe sent for them. All other vectors came from the cache. */
interface VectorsOfTexts {
  readonly vectors: ReadonlyMap<string, UnitVector>;
  readonly sent: number;
}

/** The input of a request for vectors: the endpoint, a check of the texts, and the record of the usage. */
interface Embedding {
  readonly embedder: Embedder;
  readonly signal: AbortSignal;
  /** Records the usage of the requests. */
  readonly made: MadeRequests;
  /** Called with all texts before the first request. Rejects if Loupe must not send the texts. */
  readonly check: (texts: readonly string[]) => Promise<void>;
}

/** Caches vectors by endpoint, model and text. Loupe sends a text again only if it changes or the window was closed. */
export class KnownVectors {
  readonly #sha256: Sha256;
  readonly #known = new Map<string, UnitVector>();

  constructor(sha256: Sha256) {
    this.#sha256 = sha256;
  }

  /** Returns the vectors of texts. Keeps received vectors if a later request fails. Throws a `LoupeError`. */
  async of(texts: readonly string[], { check, ...asking }: Embedding): Promise<VectorsOfTexts> {
    const { embedder } = asking;
    const vectors = new Map<string, UnitVector>();
    const missing: string[] = [];
    for (const text of new Set(texts)) {
      const known = this.#known.get(this.#key(text, embedder));
      if (known === undefined) {
        missing.push(text);
      } else {
        vectors.set(text, known);
      }
    }
    if (missing.length > 0) {
      await check(missing);
    }
    for (let from = 0; from < missing.length; from += TEXTS_AT_ONCE) {
      const batch = missing.slice(from, from + TEXTS_AT_ONCE);
      const answered = await embedCounted(batch, asking);
      for (const [at, text] of batch.entries()) {
        const vector = unitVector(answered[at] ?? []);
        vectors.set(text, vector);
        this.#known.set(this.#key(text, embedder), vector);
      }
    }
    if (new Set([...vectors.values()].map(({ length }) => length)).size > 1) {
      // Drops all cached vectors, because the endpoint now uses another model under the same name.
      this.#known.clear();
      throw failure('provider.badEmbeddings', { label: embedder.label, what: 'they differ in length' });
    }
    return { vectors, sent: missing.length };
  }

  /** Keeps only the vectors of these texts in the cache. */
  keepOnly(texts: readonly string[], embedder: Embedder): void {
    const kept = new Set(texts.map((text) => this.#key(text, embedder)));
    for (const key of this.#known.keys()) {
      if (!kept.has(key)) {
        this.#known.delete(key);
      }
    }
  }

  #key(text: string, { id }: Embedder): string {
    return this.#sha256(`${id}\n${text}`);
  }
}

/**
 * Maximum wait in ms for the vectors of a message. A local server needs some seconds to load a small model. After the
 * wait, Loupe ranks items by words, without delay.
 */
export const LONGEST_WAIT_MS = 10_000;

/** The scores of items, best first. `made` describes how Loupe ranked them. Null when Loupe used no endpoint. */
export interface Ranking {
  readonly scores: readonly Score[];
  readonly made: SelectionRecord | null;
  /** The requests that were sent to the endpoint for embeddings. */
  readonly requests: readonly SideRequests[];
}

export interface MeaningRankerPorts {
  readonly catalog: Pick<CatalogSource, 'ofChat' | 'rank'>;
  /** Returns the configured endpoint for embeddings. Null without an endpoint. */
  readonly embedder: () => Embedder | null;
  readonly sha256: Sha256;
  readonly clock: Clock;
  readonly logError: (error: LoupeError) => void;
}

/** Whether the spend limits allow a request without a question. `usd` is the price. Null when unknown. */
export type MaySpend = (usd: number | null) => Promise<boolean>;

export type SendRanking = RankingScope & { readonly signal: AbortSignal; readonly maySpend: MaySpend };

/**
 * Ranks catalog items for a message: by words, and also by meaning if an endpoint for embeddings is configured. This
 * endpoint receives the message and the items that Loupe could pick for it.
 */
export class MeaningRanker {
  readonly #ports: MeaningRankerPorts;
  readonly #vectors: KnownVectors;

  constructor(ports: MeaningRankerPorts) {
    this.#ports = ports;
    this.#vectors = new KnownVectors(ports.sha256);
  }

  /**
   * Returns the best items, at most `config.pickCandidates`. Ranks only by words if the endpoint fails, is too slow, or
   * would need the user's approval because of a spend limit. Never rejects. An abort ends the wait at once.
   */
  async rank(
    message: string,
    { context, config }: Pick<ChatState, 'context' | 'config'>,
    { signal, maySpend, ...ranked }: SendRanking,
  ): Promise<Ranking> {
    const { catalog, logError } = this.#ports;
    const most = config.pickCandidates;
    const embedder = this.#ports.embedder();
    if (embedder === null) {
      return { scores: await catalog.rank(message, most, ranked), made: null, requests: [] };
    }
    const words = await catalog.rank(message, Infinity, ranked);
    const items = await catalog.ofChat(ranked.chat);
    const isOpen = (key: string, item: CatalogItem): boolean =>
      isRanked(item) && !context.has(key) && !(ranked.loadsTools && item.include === 'onDemand');
    const open = new Map([...items].flatMap(([key, item]) => (isOpen(key, item) ? [[key, textOf(item)]] : [])));
    if (open.size === 0 || message.trim() === '') {
      return { scores: words.slice(0, most), made: null, requests: [] };
    }
    const model = modelKey(embedder.ref);
    const made = new MadeRequests('embedding', embedder.ref);
    const check = async (missing: readonly string[]): Promise<void> => {
      if (!(await maySpend(chargeOf(estimatedUsage(missing), embedder.prices, () => null)?.usd ?? null))) {
        throw failure('embeddings.overLimit', embedder);
      }
    };
    try {
      // Keeps the vectors of all catalog items, because other chats may use items that this chat does not use.
      this.#vectors.keepOnly([...SCALE_TEXTS, ...[...items.values()].map(textOf)], embedder);
      const asked = message.slice(0, LONGEST_EMBEDDED);
      const texts = [...SCALE_TEXTS, ...open.values(), asked];
      const { vectors, sent } = await this.#inTime(embedder, signal, (limited) =>
        this.#vectors.of(texts, { embedder, made, check, signal: limited }),
      );
      const scores = fuse(words, byMeaning(asked, open, vectors), most);
      return { scores, made: { by: 'meaning', model, texts: sent }, requests: made.sums() };
    } catch (thrown) {
      const error = toLoupeError(thrown);
      if (!signal.aborted) {
        logError(error);
      }
      const picked = { by: 'words', model, failure: toErrorRecord(error) } as const;
      return { scores: words.slice(0, most), made: picked, requests: made.sums() };
    }
  }

  async #inTime<T>({ label }: Embedder, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const over = new AbortController();
    const either = AbortSignal.any([signal, over.signal]);
    const ended = this.#ports.clock.sleep(LONGEST_WAIT_MS, either).then(() => {
      throw signal.aborted ? failure('request.stopped') : failure('embeddings.late', { label, seconds: LONGEST_WAIT_MS / 1_000 });
    });
    try {
      return await Promise.race([work(either), ended]);
    } finally {
      over.abort();
    }
  }
}

function textOf({ name, description, text }: CatalogItem): string {
  return embeddedText({ name, description, body: text ?? '' });
}

function byMeaning(message: string, items: ReadonlyMap<string, string>, vectors: ReadonlyMap<string, UnitVector>): readonly Score[] {
  const vectorOf = (text: string): UnitVector => vectors.get(text) ?? new Float32Array();
  const scale = meaningScale(SCALE_TEXTS.map(vectorOf));
  return [...items].map(([key, text]) => ({ key, score: scale(cosine(vectorOf(message), vectorOf(text))) }));
}

/** Requests the vectors of texts. Adds the usage to `made`. Rejects with the errors of `Embedder.embed`. */
async function embedCounted(
  texts: readonly string[],
  { embedder, signal, made }: Omit<Embedding, 'check'>,
): Promise<readonly (readonly number[])[]> {
  const ended = made.begin();
  let exchange: HttpExchange | null = null;
  try {
    const { vectors, usage: reported } = await embedder.embed(texts, signal, (each) => {
      exchange = each;
    });
    const usage = reported ?? estimatedUsage(texts);
    ended({ usage, cost: chargeOf(usage, embedder.prices, () => null), isUnbilled: false });
    return vectors;
  } catch (thrown) {
    const error = toLoupeError(thrown);
    ended({ ...UNKNOWN_USE, isUnbilled: isTurnedDown({ error, exchange, usage: null, hasContent: false }) });
    throw error;
  }
}

/** Estimates the usage of a request for embeddings, which has no output and no cache. */
function estimatedUsage(texts: readonly string[]): Usage {
  const tokens = texts.reduce((sum, text) => sum + ROUGH_COUNTER.count(text), 0);
  return { ...NO_FIGURES, promptTokens: { value: tokens, source: 'estimated' }, completionTokens: { value: 0, source: 'reported' } };
}
