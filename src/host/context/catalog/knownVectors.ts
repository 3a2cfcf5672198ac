import { unitVector, type UnitVector } from '../../../engine/context/rank/meaning.js';
import { failure } from '../../../engine/errors.js';
import type { Sha256 } from '../../../engine/ports.js';
import type { MadeRequests } from '../../../engine/accounting/madeRequests.js';
import type { Embedder } from '../../../providers/endpoint.js';
import { embedCounted } from './embeddingUse.js';

/** Texts per request. The strictest known server accepts 32 (Text Embeddings Inference, `--max-client-batch-size`). */
export const TEXTS_AT_ONCE = 32;

/** The vectors of texts, and the number of texts that were sent to get them. */
export interface VectorsOfTexts {
  readonly vectors: ReadonlyMap<string, UnitVector>;
  readonly sent: number;
}

/** The parameters to embed texts without a known vector. */
export interface Embedding {
  readonly embedder: Embedder;
  readonly signal: AbortSignal;
  /** Receives the usage of the requests. */
  readonly made: MadeRequests;
  /** Called with all texts before any is sent. Rejects when they must not be sent. */
  readonly check: (texts: readonly string[]) => Promise<void>;
}

/** Vectors in memory by endpoint, model and text. A text is sent once, until it changes or the window closes. */
export class KnownVectors {
  readonly #sha256: Sha256;
  readonly #known = new Map<string, UnitVector>();

  constructor(sha256: Sha256) {
    this.#sha256 = sha256;
  }

  /** Returns the vectors of these texts. Vectors that arrived stay known when the rest fails. Throws a `LoupeError`. */
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
      // The name now belongs to another model, so the known vectors are useless.
      this.#known.clear();
      throw failure('provider.badEmbeddings', { label: embedder.label, what: 'they differ in length' });
    }
    return { vectors, sent: missing.length };
  }

  /** Forgets all other texts. */
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
