import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fuse, fusedScore } from '../../src/engine/context/rank/fusion.js';
import { cosine, meaningScale, SCALE_TEXTS, unitVector } from '../../src/engine/context/rank/meaning.js';
import { column } from '../support/columns.js';
import { forAll } from '../support/forAll.js';

const share = fc.double({ min: 0, max: 1, noNaN: true });
/** Squares of smaller numbers have fewer digits, so that the naive cosine is wrong. */
const LEAST = 1e-100;
const value = fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((each) => (Math.abs(each) < LEAST ? 0 : each));
const DIMENSIONS = 7;
const vector = fc.array(value, { minLength: DIMENSIONS, maxLength: DIMENSIONS });
/** Vectors have the precision of `Float32Array`. */
const PRECISION = 1e-5;

describe('meaning', () => {
  it('is compared by the cosine, whatever the lengths of the vectors are', () => {
    forAll(vector, vector, (a, b) => {
      const dot = a.reduce((sum, each, at) => sum + each * (b[at] ?? 0), 0);
      const lengths = Math.hypot(...a) * Math.hypot(...b);
      const naive = lengths === 0 ? 0 : dot / lengths;
      const found = cosine(unitVector(a), unitVector(b));
      assert.ok(Math.abs(found - naive) < PRECISION, `${String(found)} for ${String(naive)}`);
      assert.ok(found >= -1 && found <= 1);
    });
  });

  it('is a score from 0 to 1 that rises with the cosine, whatever a model makes of texts', () => {
    const vectors = fc.array(vector, { minLength: SCALE_TEXTS.length, maxLength: SCALE_TEXTS.length });
    const cosines = fc.tuple(fc.double({ min: -1, max: 1, noNaN: true }), fc.double({ min: -1, max: 1, noNaN: true }));
    forAll(vectors, cosines, (of, [one, other]) => {
      const scale = meaningScale(of.map(unitVector));
      const [low, high] = [scale(Math.min(one, other)), scale(Math.max(one, other))];
      assert.ok(low >= 0 && low <= high && high <= 1, `${String(low)} ${String(high)}`);
    });
  });

  it('and words are one score from 0 to 1 that rises with both, and is never below that of the words', () => {
    forAll(share, share, share, (words, meaning, more) => {
      const score = fusedScore(words, meaning);
      assert.ok(score >= words - Number.EPSILON && score <= 1 && score >= 0);
      assert.ok(fusedScore(Math.max(words, more), meaning) >= score);
      assert.ok(fusedScore(words, Math.max(meaning, more)) >= score);
    });
  });

  it('and words rank items in one order, each with the score that it has alone', () => {
    const scores = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e'), share);
    const list = (of: Readonly<Record<string, number>>) => Object.entries(of).map(([key, score]) => ({ key, score }));
    forAll(scores, scores, fc.integer({ min: 1, max: 6 }), (words, meaning, most) => {
      const fused = fuse(list(words), list(meaning), most);
      const all = [...new Set([...Object.keys(words), ...Object.keys(meaning)])]
        .map((key) => fusedScore(words[key] ?? 0, meaning[key] ?? 0))
        .filter((score) => score > 0)
        .sort((a, b) => b - a);
      assert.deepEqual(column(fused, 'score'), all.slice(0, most));
      for (const { key, score } of fused) {
        assert.equal(score, fusedScore(words[key] ?? 0, meaning[key] ?? 0));
      }
    });
  });
});
