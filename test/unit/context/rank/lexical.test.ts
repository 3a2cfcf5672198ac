import assert from 'node:assert/strict';
import fc from 'fast-check';
import { stemmer } from 'stemmer';
import { LexicalIndex, type RankedTexts } from '../../../../src/engine/context/rank/lexical.js';
import { MESSAGE_BACKGROUND } from '../../../../src/engine/context/rank/words.js';
import { forAll } from '../../../support/forAll.js';

const item = (key: string, texts: Partial<RankedTexts>): RankedTexts => ({
  key,
  name: '',
  description: '',
  headings: '',
  body: '',
  ...texts,
});

function indexOf(...items: readonly RankedTexts[]): LexicalIndex {
  const index = new LexicalIndex(stemmer, MESSAGE_BACKGROUND);
  for (const each of items) {
    index.put(each);
  }
  return index;
}

const keysFor = (index: LexicalIndex, message: string): readonly string[] => index.rank(message, 9).map(({ key }) => key);

describe('the ranking by words', () => {
  it('finds an item by other forms of its words, and by names in code', () => {
    const index = indexOf(
      item('auth', { name: 'Authentication' }),
      item('header', { body: 'How to parse an HTTP header.' }),
      item('zone', { name: 'Time zones' }),
    );
    assert.deepEqual(keysFor(index, 'How do I authenticate?'), ['auth']);
    assert.deepEqual(keysFor(index, 'fix parseHTTPHeader()'), ['header']);
    assert.deepEqual(keysFor(index, 'the header_parser fails'), ['header']);
    assert.deepEqual(keysFor(index, 'a timezone bug'), ['zone']);
  });

  it('finds nothing for a message of other words, of words that say nothing, or of none', () => {
    const index = indexOf(item('auth', { name: 'Authentication', body: 'What is there to do with it?' }));
    for (const message of ['Paint the lighthouse', 'What is it?', '', '¿!', '\ud800']) {
      assert.deepEqual(index.rank(message, 9), []);
    }
  });

  it('weighs the name most, then the description, the headings and the text', () => {
    const texts = ['name', 'description', 'headings', 'body'] as const;
    const index = indexOf(...texts.map((text) => item(text, { [text]: 'tides' })));
    assert.deepEqual(keysFor(index, 'tides'), texts);
  });

  it('weighs rare words more than those of many items', () => {
    const many = Array.from({ length: 20 }, (_, at) => item(`many${String(at)}`, { name: 'harbour' }));
    const index = indexOf(...many, item('rare', { name: 'barometer' }));
    assert.equal(keysFor(index, 'the barometer in the harbour')[0], 'rare');
  });

  it('tells long texts apart that contain all of the message', () => {
    const index = new LexicalIndex((word) => word, MESSAGE_BACKGROUND);
    const words = ['tide', 'harbour', 'ferry', 'anchor', 'pilot', 'buoy', 'crew', 'deck'];
    index.putShares('all', new Map(words.map((word) => [word, 1])));
    index.putShares('most', new Map(words.map((word) => [word, 0.9])));
    const message = words.join(' ');
    assert.deepEqual(
      index.rank(message, 2).map(({ score }) => score),
      [1, 1],
    );
    assert.deepEqual(
      index.rankLong(message, 2).map(({ key, score }) => `${key} ${score.toFixed(1)}`),
      ['all 1.0', 'most 0.9'],
    );
  });

  it('gives a share of the message, which tells more than an order: the same item fits a message less the more else is in that', () => {
    const index = indexOf(item('tides', { name: 'Tides' }), item('other', { name: 'Lighthouse' }));
    const score = (message: string): number => index.rank(message, 1)[0]?.score ?? 0;
    const scores = ['tides', 'tides paint', 'tides paint ladder', 'tides paint ladder rope'].map(score);
    const sorted = scores.toSorted((a, b) => b - a);
    assert.deepEqual(scores, sorted);
    assert.ok((scores[0] ?? 0) > 0.85 && (scores[3] ?? 1) < 0.5, scores.join());
  });

  it('finds what a long message is about among all its other words', () => {
    const index = indexOf(item('tides', { name: 'Tides', description: 'Heights and tables' }), item('other', { name: 'Lighthouse' }));
    const rest = Array.from({ length: 60 }, (_, at) => `word${String.fromCharCode(97 + (at % 26))}${'x'.repeat(at % 7)}q`).join(' ');
    assert.ok((index.rank(`tides table of heights: ${rest}`, 1)[0]?.score ?? 0) > 0.3);
  });

  it('weighs words that are in many messages little', () => {
    const index = indexOf(item('release', { name: 'Write a list' }), item('tides', { name: 'Tides' }));
    const [best] = index.rank('write a list of lighthouses', 1);
    assert.ok((best?.score ?? 0) < 0.5, String(best?.score));
  });

  it('knows an item as it is now, and no more when it is taken out', () => {
    const index = indexOf(item('a', { name: 'Tides' }), item('b', { name: 'Tides' }));
    index.put(item('a', { name: 'Harbour' }));
    assert.deepEqual([keysFor(index, 'tides'), keysFor(index, 'harbour')], [['b'], ['a']]);
    index.delete('b');
    index.delete('unknown');
    assert.deepEqual(keysFor(index, 'tides'), []);
  });

  it('gives what an index made anew gives, after any changes', () => {
    const words = fc
      .array(fc.constantFrom('tides', 'harbour', 'lighthouse', 'rope', 'list', 'error'), { maxLength: 5 })
      .map((all) => all.join(' '));
    const anyItem = fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd'), name: words, description: words, headings: words, body: words });
    const change = fc.oneof(anyItem, fc.constantFrom('a', 'b', 'c', 'd'));
    forAll(fc.array(change, { maxLength: 12 }), words, (changes, message) => {
      const index = indexOf();
      const now = new Map<string, RankedTexts>();
      for (const each of changes) {
        if (typeof each === 'string') {
          index.delete(each);
          now.delete(each);
        } else {
          index.put(each);
          now.set(each.key, each);
        }
      }
      const anew = indexOf(...now.values()).rank(message, 9);
      assert.deepEqual(index.rank(message, 9), anew);
      assert.ok(anew.every(({ score }) => score > 0 && score <= 1));
      assert.deepEqual(index.rank(message, 2), anew.slice(0, 2), 'the best of them, however many are wanted');
    });
  });
});
