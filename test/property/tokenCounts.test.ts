import assert from 'node:assert/strict';
import type { Tiktoken } from 'js-tiktoken/lite';
import type { TokenCounter } from '../../src/engine/ports.js';
import { COUNTER_IDS } from '../../src/host/models/tokens/counters.js';
import { loadTestCounter } from '../support/counters.js';
import { NAUGHTY_STRINGS } from '../support/engine/naughtyStrings.js';
import { CODE, ENCODING_DATA, oracleOf, tokenText } from '../support/encodings.js';
import { forAll, inRuns } from '../support/forAll.js';
import fc from 'fast-check';
import type { EncodingCounter } from '../../src/engine/tokens/encodingCounter.js';
import { lastSafeCut, type CutRule } from '../../src/engine/tokens/safeCut.js';
import { depth } from '../support/depth.mjs';

describe('token counts', function () {
  // js-tiktoken's tables take most of a second per encoding.
  this.timeout(60_000);

  it('are made for every encoding that the package has', () => {
    assert.deepEqual([...COUNTER_IDS].sort(), Object.keys(ENCODING_DATA).sort());
  });

  for (const [id, ranks] of Object.entries(ENCODING_DATA)) {
    describe(`by ${id}`, () => {
      let counter: TokenCounter;
      let oracle: Tiktoken;

      before(async () => {
        counter = await loadTestCounter(id);
        oracle = oracleOf(ranks);
      });

      const expectEqual = (text: string): void => {
        assert.equal(counter.count(text), oracle.encode(text, [], []).length, JSON.stringify(text));
      };

      it('are js-tiktoken’s for any text', () => {
        assert.equal(counter.id, id);
        forAll(tokenText, (text) => {
          expectEqual(text);
        });
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

  it('of millions of letters of any script are made: a regular expression would run out of stack', async () => {
    const counter = await loadTestCounter('o200k_base');
    const letters = 4 * (1 << 20);
    const tokens = counter.count('語'.repeat(letters));
    assert.ok(tokens > letters / 16 && tokens <= letters, `${String(tokens)} tokens`);
  });

  it('stay right when the memos are full', async () => {
    const counter = await loadTestCounter('o200k_base');
    const words = Array.from({ length: 100_000 }, (_, index) => ` w${index.toString(36)}`).join('');
    const first = counter.count(words);
    assert.equal(counter.count(`${words}\n`) - counter.count('\n'), first);
    assert.equal((await loadTestCounter('o200k_base')).count(words), first);
  });
});

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
          const ofParts = parts.reduce((sum, part) => sum + count(part), 0);
          assert.equal(ofParts, count(text), JSON.stringify(parts));
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
