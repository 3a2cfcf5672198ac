import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Tiktoken } from 'js-tiktoken/lite';
import type { EncodingCounter } from '../../src/engine/tokens/encodingCounter.js';
import { lastSafeCut, type CutRule } from '../../src/engine/tokens/safeCut.js';
import { depth } from '../support/depth.mjs';
import { loadTestCounter } from '../support/counters.js';
import { CODE, ENCODING_DATA, oracleOf, tokenText } from '../support/encodings.js';
import { NAUGHTY_STRINGS } from '../support/engine/naughtyStrings.js';
import { forAll, inRuns } from '../support/forAll.js';

const RUNS = depth({ short: 100, deep: 1_000 });

const PROSE =
  "Der Ärger mit 3 Köchen: «zu viel» Brei, 1,5 kg!\n\n今日は、いい天気です。12月のこと。\n  - don't I'll 😀👩‍👩‍👧 ok\r\n\tund\u00a0so weiter //\n/* x */";

function safeCuts(text: string, rules: readonly CutRule[]): number[] {
  const cuts: number[] = [];
  for (let cut = lastSafeCut(text, 0, rules); cut > 0; cut = lastSafeCut(text.slice(0, cut), 0, rules)) {
    cuts.push(cut);
  }
  return cuts;
}

/** A text with the ends of its pieces, also within characters. */
const arriving = fc
  .tuple(tokenText, fc.infiniteStream(fc.integer({ min: 1, max: 9 })))
  .map(([text, lengths]) => ({ text, pieces: piecesOf(text, lengths) }));

function piecesOf(text: string, lengths: Iterable<number>): string[] {
  const pieces: string[] = [];
  let from = 0;
  for (const length of lengths) {
    if (from >= text.length) {
      break;
    }
    pieces.push(text.slice(from, from + length));
    from += length;
  }
  return pieces;
}

function* forever(length: number): Generator<number> {
  for (;;) {
    yield length;
  }
}

describe('a text that arrives in pieces', function () {
  // js-tiktoken's tables take most of a second per encoding.
  this.timeout(60_000);

  for (const [id, data] of Object.entries(ENCODING_DATA)) {
    describe(`counted by ${id}`, () => {
      let counter: EncodingCounter;
      let oracle: Tiktoken;

      before(async () => {
        counter = await loadTestCounter(id);
        oracle = oracleOf(data);
      });

      const count = (text: string): number => oracle.encode(text, [], []).length;

      it('can be cut where the counter says: js-tiktoken counts the same', () => {
        let cuts = 0;
        inRuns(RUNS).forAll(tokenText, (text) => {
          const at = safeCuts(text, counter.cuts);
          cuts += at.length;
          const parts = [...at.reverse(), text.length].map((end, index, ends) => text.slice(ends[index - 1], end));
          assert.equal(
            parts.reduce((sum, part) => sum + count(part), 0),
            count(text),
            JSON.stringify(parts),
          );
        });
        assert.ok(cuts > (RUNS * 5) / 2, String(cuts));
      });

      it('has js-tiktoken’s count after each of them', () => {
        forAll(arriving, ({ pieces }) => {
          const stream = counter.stream();
          let text = '';
          for (const piece of pieces) {
            stream.append(piece);
            text += piece;
            assert.deepEqual(stream.read(), { tokens: count(text), isExact: true }, JSON.stringify(text));
          }
        });
      });

      it('has it for hostile strings, code and prose, whatever the size of the pieces', () => {
        for (const text of ['', CODE, PROSE, ...NAUGHTY_STRINGS]) {
          for (const length of [1, 2, 5]) {
            const stream = counter.stream();
            for (const piece of piecesOf(text, forever(length))) {
              stream.append(piece);
              stream.read();
            }
            assert.deepEqual(stream.read(), { tokens: count(text), isExact: true }, JSON.stringify(text));
          }
        }
      });
    });
  }

  it('may be cut after a line break only where the encoding has a rule for line breaks', async () => {
    const oracle = oracleOf(ENCODING_DATA['r50k_base']!);
    const count = (text: string): number => oracle.encode(text, [], []).length;
    assert.notEqual(count('.\n\n') + count('b'), count('.\n\nb'));
    assert.deepEqual(safeCuts('.\n\nb', (await loadTestCounter('r50k_base')).cuts), []);
    assert.deepEqual(safeCuts('.\n\nb', (await loadTestCounter('o200k_base')).cuts), [3]);
  });
});
