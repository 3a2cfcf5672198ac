import assert from 'node:assert/strict';
import { countedBy, ROUGH_COUNTER } from '../../../src/engine/tokens/roughCounter.js';
import { OPEN_MODEL } from '../../support/engine/models.js';
import { characters } from '../../support/engine/ports.js';

describe('the rough counter', () => {
  it('has a token for each four characters, begun ones included', () => {
    const counts = ['', 'a', 'abcd', 'abcde', 'ab\ud83d\ude00'].map((text) => ROUGH_COUNTER.count(text));
    assert.deepEqual(counts, [0, 1, 1, 2, 1]);
  });

  it('counts a text in pieces as it counts it whole', () => {
    const stream = ROUGH_COUNTER.stream();
    for (const piece of ['a', '', 'bcd', 'e']) {
      stream.append(piece);
    }
    assert.deepEqual(stream.read(), { tokens: 2, isExact: true });
  });

  it('makes the counts of a model estimates, unless it is the model’s own', () => {
    const { counter, counterIsExact } = countedBy(OPEN_MODEL, ROUGH_COUNTER).capabilities;
    assert.deepEqual([counter, counterIsExact], ['characters/4', false]);
    assert.equal(countedBy(OPEN_MODEL, characters), OPEN_MODEL);
  });
});
