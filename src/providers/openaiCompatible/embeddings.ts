import type { Usage } from '../../engine/model/usage.js';
import { failure } from '../../engine/errors.js';
import { isObject } from '../../engine/json.js';
import type { Endpoint } from '../endpoint.js';
import { count, itemsOf, member } from '../json.js';
import { normalizeUsage } from './usage.js';

/**
 * The vectors in an answer to `POST /embeddings` for so many texts, in the order of the texts: servers may answer in another one, and say
 * so in `index`. Throws `protocol` unless there is one for each text, of the same dimensions, and all numbers are finite.
 */
export function vectorsIn(answer: unknown, texts: number, { label }: Pick<Endpoint, 'label'>): readonly (readonly number[])[] {
  const refuse = (what: string): Error => failure('provider.badEmbeddings', { label, what });
  const entries = itemsOf(member(answer, 'data'));
  if (entries.length !== texts) {
    throw refuse(`${String(entries.length)} for ${String(texts)} texts`);
  }
  const placed = new Map(entries.map((entry, at) => [count(member(entry, 'index')) ?? at, itemsOf(member(entry, 'embedding'))]));
  const vectors = entries.map((_, at) => placed.get(at) ?? []);
  const [first = []] = vectors;
  if (placed.size !== texts || first.length === 0) {
    throw refuse('some are missing');
  }
  if (vectors.some((vector) => vector.length !== first.length)) {
    throw refuse('they differ in length');
  }
  if (!vectors.every(isFinite)) {
    throw refuse('some values are not numbers');
  }
  return vectors;
}

function isFinite(vector: readonly unknown[]): vector is readonly number[] {
  return vector.every((value) => Number.isFinite(value));
}

/** The usage in an answer to `POST /embeddings`; null without one. Some servers report `total_tokens` alone (Voyage). There is no output. */
export function embeddingUsage(answer: unknown): Usage | null {
  const raw = member(answer, 'usage');
  if (!isObject(raw)) {
    return null;
  }
  const usage = normalizeUsage({ ...raw, prompt_tokens: raw['prompt_tokens'] ?? raw['total_tokens'] ?? null, completion_tokens: 0 }, false);
  return usage === null ? null : { ...usage, completionTokens: { value: 0, source: 'reported' } };
}
