import assert from 'node:assert/strict';
import { stemmer } from 'stemmer';
import { fileWords, wordShares } from '../../../src/engine/repository/fileWords.js';

const SOURCE = '/** Retries after a delay. */\nfunction retryDelay(delays) { throw new Error("too many retries"); }';

describe('the words of a source file', () => {
  it('are the stems of its names, comments and texts, the most frequent first', () => {
    assert.equal(fileWords(SOURCE, stemmer), 'retri 3 delai 3 function 1 throw 1 new 1 error 1');
  });

  it('are at most 150, without long data', () => {
    const letters = (at: number): string => String.fromCharCode(97 + Math.floor(at / 26), 97 + (at % 26)).repeat(3);
    const many = Array.from({ length: 400 }, (_, at) => letters(at)).join(' ');
    const words = fileWords(`${many} ferry ferry ${'x'.repeat(64)} ${'x'.repeat(64)}`, (word) => word).split(' ');
    assert.deepEqual([words.length, words[0], words[1]], [300, 'ferry', '2']);
  });

  it('count more the more often the file has them, the shorter the file is, and in its path', () => {
    const share = (path: string, words: string): number => wordShares(path, words, stemmer).get('retri') ?? 0;
    const usual = share('a.ts', 'retri 2');
    assert.ok(share('a.ts', 'retri 3') > usual);
    assert.ok(share('a.ts', 'retri 2 delai 900') < usual);
    assert.ok(share('retry.ts', 'retri 2') > usual);
    assert.ok(share('test/a.ts', 'retri 2') < usual);
    assert.ok(share('retry.ts', `retri 10000`) <= 1);
  });
});
