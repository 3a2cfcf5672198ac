import assert from 'node:assert/strict';
import { encode as encodeO200k } from 'gpt-tokenizer/encoding/o200k_base';
import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import type { TokenCounter } from '../../../src/engine/ports.js';
import { loadTestCounter } from '../../support/counters.js';
import { medianOf, race } from '../race.js';
import type { Row } from '../row.js';
import { realTexts } from '../texts.js';

const ROUNDS = 15;

export const countBulk: Row = {
  name: 'count-bulk',
  job: 'count the tokens of code and prose, o200k',
  async measure() {
    const texts = realTexts();
    const oracle = new Tiktoken(o200k);
    const total = (count: (text: string) => number): number => texts.reduce((sum, text) => sum + count(text), 0);
    const byOracle = (): number => total((text) => oracle.encode(text, [], []).length);
    const checked = await loadTestCounter('o200k_base');
    const counted = total((text) => checked.count(text));
    assert.equal(counted, byOracle());
    // A counter remembers texts, so each run has its own, loaded in advance.
    const counters = await Promise.all(Array.from({ length: ROUNDS + 1 }, () => loadTestCounter('o200k_base')));
    const pieces = new RegExp(o200k.pat_str, 'gu');
    const samples = await race(
      [
        {
          name: 'Loupe',
          run: () => {
            countAll(texts, counters.pop());
          },
        },
        { name: 'the regular expression alone', run: () => void total((text) => text.match(pieces)?.length ?? 0) },
        { name: 'gpt-tokenizer', run: () => void total((text) => encodeO200k(text).length) },
        { name: 'js-tiktoken', run: () => void byOracle() },
      ],
      { rounds: ROUNDS },
    );
    const own = medianOf(samples, 'Loupe');
    return {
      samples,
      amount: { value: total((text) => Buffer.byteLength(text)) / 1e6, unit: 'MB' },
      verdicts: [
        { what: 'faster than js-tiktoken, times', measured: medianOf(samples, 'js-tiktoken') / own, target: { atLeast: 8 } },
        {
          what: 'speed of the regular expression alone, share',
          measured: medianOf(samples, 'the regular expression alone') / own,
          target: { atLeast: 0.5 },
        },
      ],
    };
  },
};

function countAll(texts: readonly string[], counter: TokenCounter | undefined): void {
  for (const text of texts) {
    counter?.count(text);
  }
}
