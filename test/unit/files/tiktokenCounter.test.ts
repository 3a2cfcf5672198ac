import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { BoundedMemo } from '../../../src/host/tokens/boundedMemo.js';
import { loadO200k } from '../../../src/host/tokens/tiktokenCounter.js';
import type { TokenCounter } from '../../../src/engine/ports.js';

const naughty = createRequire(import.meta.url)('big-list-of-naughty-strings/blns.json') as readonly string[];

describe('the o200k counter', function () {
  // Building js-tiktoken's tables, the oracle, takes most of a second.
  this.timeout(20_000);
  let counter: TokenCounter;
  let oracle: Tiktoken;

  before(async () => {
    counter = await loadO200k();
    oracle = new Tiktoken(o200k);
  });

  const expectEqual = (text: string): void => {
    assert.equal(counter.count(text), oracle.encode(text, [], []).length, JSON.stringify(text));
  };

  it('says which encoding it counts by', () => {
    assert.equal(counter.id, 'o200k_base');
  });

  it('counts known texts', () => {
    assert.equal(counter.count(''), 0);
    assert.equal(counter.count('hello world'), 2);
    assert.equal(counter.count('tiktoken is great!'), 6);
  });

  it('takes the text of special tokens as ordinary text', () => {
    expectEqual('<|endoftext|> and <|endofprompt|>');
    assert.ok(counter.count('<|endoftext|>') > 1);
  });

  it('counts hostile strings as js-tiktoken does', () => {
    for (const text of [...naughty, '\uFEFF', 'a\uD800b', '\u202E\u200B\u0000', '\r\n\r\n \t \n']) {
      expectEqual(text);
    }
  });

  it('counts any text as js-tiktoken does', () => {
    const unit = fc.oneof(
      fc.constantFrom('a', 'b', 'A', ' ', ' ', '\n', '1', '/', '.', "'s", 'the', 'é', '日', '語', '😀', '\uD83D'),
      fc.string({ maxLength: 4, unit: 'binary' }),
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 60 }), (units) => {
        expectEqual(units.join(''));
      }),
      { numRuns: 100 },
    );
  });

  it('counts long pieces as js-tiktoken does', () => {
    for (const character of ['a', 'A', 'é', '日', ' ', '\n', '=', '😀']) {
      expectEqual(character.repeat(150));
    }
  });

  it('counts a long text without a space at once: js-tiktoken would take an hour', () => {
    assert.equal(counter.count('a'.repeat(1 << 18)), (1 << 18) / 8);
  });
});

describe('BoundedMemo', () => {
  it('remembers values, 0 too', () => {
    const memo = new BoundedMemo(2, 100);
    memo.set('', 0);
    assert.equal(memo.get(''), 0);
    assert.equal(memo.get('other'), undefined);
  });

  it('forgets the text that was not asked for the longest beyond its number of texts', () => {
    const memo = new BoundedMemo(2, 100);
    memo.set('a', 1);
    memo.set('b', 2);
    memo.get('a');
    memo.set('c', 3);
    assert.deepEqual([memo.get('a'), memo.get('b'), memo.get('c')], [1, undefined, 3]);
  });

  it('forgets as many as it takes beyond its number of characters', () => {
    const memo = new BoundedMemo(10, 10);
    memo.set('aaaa', 1);
    memo.set('bbbb', 2);
    memo.set('cccccccc', 3);
    assert.deepEqual([memo.get('aaaa'), memo.get('bbbb'), memo.get('cccccccc')], [undefined, undefined, 3]);
  });

  it('does not remember a text over its number of characters, and keeps the others', () => {
    const memo = new BoundedMemo(10, 10);
    memo.set('a', 1);
    memo.set('b'.repeat(11), 2);
    assert.deepEqual([memo.get('a'), memo.get('b'.repeat(11))], [1, undefined]);
  });

  it('counts a text that is set again once', () => {
    const memo = new BoundedMemo(10, 10);
    for (let round = 0; round < 5; round += 1) {
      memo.set('aaaa', round);
    }
    memo.set('bbbb', 1);
    assert.deepEqual([memo.get('aaaa'), memo.get('bbbb')], [4, 1]);
  });
});
