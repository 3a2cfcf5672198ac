import assert from 'node:assert/strict';
import type { Tiktoken } from 'js-tiktoken/lite';
import type { TokenCounter } from '../../src/engine/ports.js';
import { COUNTER_IDS } from '../../src/host/models/tokens/counters.js';
import { loadTestCounter } from '../support/counters.js';
import { NAUGHTY_STRINGS } from '../support/engine/naughtyStrings.js';
import { CODE, ENCODING_DATA, oracleOf, tokenText } from '../support/encodings.js';
import { forAll } from '../support/forAll.js';

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
