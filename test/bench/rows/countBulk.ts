import assert from 'node:assert/strict';
import { encode as encodeO200k } from 'gpt-tokenizer/encoding/o200k_base';
import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { loadTestCounter } from '../../support/counters.js';
import { medianOf, race } from '../race.js';
import type { Row } from '../row.js';
import { realText } from '../texts.js';

const ROUNDS = 7;

/** js-tiktoken is slow enough that a part of the text tells its speed. */
const PEER_SHARE = 0.2;

export const countBulk: Row = {
  name: 'count-bulk',
  job: 'count the tokens of code and prose, o200k',
  async measure() {
    const text = realText();
    const part = text.slice(0, text.length * PEER_SHARE);
    const oracle = new Tiktoken(o200k);
    assert.equal((await loadTestCounter('o200k_base')).count(part), oracle.encode(part, [], []).length);
    // A counter remembers texts: each run has one of its own, loaded beforehand.
    const counters = await Promise.all(Array.from({ length: ROUNDS + 1 }, () => loadTestCounter('o200k_base')));
    const pieces = new RegExp(o200k.pat_str, 'gu');
    const samples = await race(
      [
        { name: 'Loupe', run: () => void counters.pop()?.count(text) },
        { name: 'the regular expression alone', run: () => void text.match(pieces) },
        { name: 'gpt-tokenizer', run: () => void encodeO200k(text) },
        { name: 'js-tiktoken', run: () => timed(() => oracle.encode(part, [], [])) / PEER_SHARE },
      ],
      { rounds: ROUNDS },
    );
    const own = medianOf(samples, 'Loupe');
    return {
      samples,
      amount: { value: Buffer.byteLength(text) / 1e6, unit: 'MB' },
      verdicts: [
        { what: 'faster than js-tiktoken, times', measured: medianOf(samples, 'js-tiktoken') / own, target: { atLeast: 8 } },
        { what: 'speed of the regular expression alone, share', measured: medianOf(samples, 'the regular expression alone') / own, target: { atLeast: 0.5 } },
      ],
    };
  },
};

function timed(job: () => unknown): number {
  const started = performance.now();
  job();
  return performance.now() - started;
}
