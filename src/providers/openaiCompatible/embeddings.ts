import type { Usage } from '../../engine/model/usage.js';
import { failure } from '../../engine/errors.js';
import { isObject } from '../../engine/json.js';
import type { Endpoint } from '../endpoint.js';
import { count, itemsOf, member } from '../json.js';
import { normalizeUsage } from './usage.js';

/**
 * Returns the vectors in a response to `POST /embeddings`, in the order of the texts. A server may send another order,
 * given by `index`. Throws `protocol` unless each text has a vector with the same dimensions and finite numbers.
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

/** Returns the usage in a response to `POST /embeddings`, or null. Some servers report only `total_tokens` (Voyage). */
export function embeddingUsage(answer: unknown): Usage | null {
  const raw = member(answer, 'usage');
  if (!isObject(raw)) {
    return null;
  }
  const usage = normalizeUsage({ ...raw, prompt_tokens: raw['prompt_tokens'] ?? raw['total_tokens'] ?? null, completion_tokens: 0 }, false);
  return usage === null ? null : { ...usage, completionTokens: { value: 0, source: 'reported' } };
}
