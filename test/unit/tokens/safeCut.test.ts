import assert from 'node:assert/strict';
import { lastSafeCut } from '../../../src/engine/tokens/safeCut.js';

const RULES = ['afterLetter', 'afterDigit', 'afterLineBreak'] as const;
const cutOf = (text: string): number => lastSafeCut(text, 0, RULES);

describe('a safe cut', () => {
  it('is before white space, a digit or a punctuation mark behind a letter', () => {
    assert.deepEqual(['ab c', 'ab12', 'ab,', '日本、', 'é\n'].map(cutOf), [2, 2, 2, 2, 1]);
  });

  it('is behind a number, and behind a line break that begins a line', () => {
    assert.deepEqual(['12a', '1 .', '..\nb', '..\n\n#'].map(cutOf), [2, 1, 3, 4]);
  });

  it('is not where the piece may go on: letters, marks, contractions, digits, white space and slashes', () => {
    for (const text of ['abc', 'ab\u0301', "ab'", '123', '..\n ', '..\n\n', '..\n/', '.. ..', '..a', '.. a']) {
      assert.equal(cutOf(text), 0, JSON.stringify(text));
    }
  });

  it('is not at the end of the text, nor before half a character that may become a letter or a digit', () => {
    assert.deepEqual(['a', 'a\n', 'a\ud801', '1\ud835'].map(cutOf), [0, 1, 0, 0]);
    assert.deepEqual(['a\ud801\udc28', 'a\ud83d\ude00', '1\ud835\udfd9', 'a\ud801b'].map(cutOf), [0, 1, 0, 1]);
  });

  it('sees a letter of two halves before it, and never cuts between them', () => {
    assert.deepEqual(['𐐨 b', '𐐨,', '😀.'].map(cutOf), [2, 2, 0]);
  });

  it('is looked for behind the place named, and only by the rules named', () => {
    assert.equal(lastSafeCut('a b c', 3, RULES), 3);
    assert.equal(lastSafeCut('a b c', 2, RULES), 3);
    assert.equal(lastSafeCut('a 1 ', 0, ['afterDigit']), 3);
    assert.equal(lastSafeCut('a 1 ', 0, []), 0);
  });
});
