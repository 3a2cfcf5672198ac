import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Tiktoken, type TiktokenBPE } from 'js-tiktoken/lite';
import cl100k from 'js-tiktoken/ranks/cl100k_base';
import gpt2 from 'js-tiktoken/ranks/gpt2';
import o200k from 'js-tiktoken/ranks/o200k_base';
import p50kBase from 'js-tiktoken/ranks/p50k_base';
import p50kEdit from 'js-tiktoken/ranks/p50k_edit';
import r50k from 'js-tiktoken/ranks/r50k_base';
import type { TokenCounter } from '../../src/engine/ports.js';
import { COUNTER_IDS } from '../../src/host/tokens/counters.js';
import { loadTestCounter } from '../support/counters.js';
import { NAUGHTY_STRINGS } from '../support/engine/naughtyStrings.js';

/** The package knows the harmony encoding only by its ranks: those of o200k. */
const ORACLES: Readonly<Record<string, TiktokenBPE>> = {
  o200k_base: o200k,
  o200k_harmony: o200k,
  cl100k_base: cl100k,
  p50k_base: p50kBase,
  p50k_edit: p50kEdit,
  r50k_base: r50k,
  gpt2,
};

/** What splits differently in some encoding: cases, marks, numbers, white space, contractions, scripts, halves of characters. */
const unit = fc.oneof(
  fc.constantFrom('a', 'b', 'A', 'Z', 'é', 'ß', 'ǅ', '\u0301', "'s", "'LL", 'the', ' the', '日', '語', 'ไทย', 'العربية'),
  fc.constantFrom(' ', ' ', '\n', '\r\n', '\t', '\u00a0', '\u2003', '1', '42', '1234', '/', '.', '{', '};', '==', '\ufeff'),
  fc.constantFrom('😀', '👩‍👩‍👧', '\ud83d', '\ude00', '\u0000', '<|endoftext|>', '<|im_start|>'),
  fc.string({ maxLength: 4, unit: 'binary' }),
);

const CODE = 'export function count(text: string): number {\n\treturn text.length >> 2; // "quarter"\n}\n';

describe('token counts', function () {
  // Building js-tiktoken's own tables takes most of a second for each encoding.
  this.timeout(60_000);

  it('are made for every encoding that the package has', () => {
    assert.deepEqual([...COUNTER_IDS].sort(), Object.keys(ORACLES).sort());
  });

  for (const [id, ranks] of Object.entries(ORACLES)) {
    describe(`by ${id}`, () => {
      let counter: TokenCounter;
      let oracle: Tiktoken;

      before(async () => {
        counter = await loadTestCounter(id);
        oracle = new Tiktoken(ranks);
      });

      const expectEqual = (text: string): void => {
        assert.equal(counter.count(text), oracle.encode(text, [], []).length, JSON.stringify(text));
      };

      it('are js-tiktoken’s for any text', () => {
        assert.equal(counter.id, id);
        fc.assert(
          fc.property(fc.array(unit, { maxLength: 60 }), (units) => {
            expectEqual(units.join(''));
          }),
        );
      });

      it('are js-tiktoken’s for hostile strings, code and long pieces', () => {
        for (const text of ['', CODE, ...NAUGHTY_STRINGS]) {
          expectEqual(text);
        }
        for (const character of ['a', 'A', 'é', '日', ' ', '\n', '=', '😀', 'ab', '\ud83d']) {
          for (const times of [31, 33, 95, 97, 150]) {
            expectEqual(character.repeat(times));
          }
        }
      });
    });
  }

  it('of a long text without a space take no time: js-tiktoken would take an hour', async () => {
    const counter = await loadTestCounter('o200k_base');
    assert.equal(counter.count('a'.repeat(1 << 18)), (1 << 18) / 8);
  });

  it('stay right when the memos are full', async () => {
    const counter = await loadTestCounter('o200k_base');
    const words = Array.from({ length: 60_000 }, (_, index) => ` w${index.toString(36)}`).join('');
    const first = counter.count(words);
    assert.equal(counter.count(`${words}\n`) - counter.count('\n'), first);
    assert.equal((await loadTestCounter('o200k_base')).count(words), first);
  });
});
