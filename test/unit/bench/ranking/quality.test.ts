import assert from 'node:assert/strict';
import type { RankedTexts } from '../../../../src/engine/context/rank/lexical.js';
import { labelledSet, messagesWithoutTopic } from '../../../bench/ranking/labelledSet.js';
import { byWords, pickedFor, pickedShares, recall } from '../../../bench/ranking/quality.js';

const { items, messages } = labelledSet();
const withoutTopic = messagesWithoutTopic();
const tried = messages.filter(({ set }) => set === 'test');

/** Returns the messages that pick an item, with the items that they pick. */
function falsePicks(catalog: readonly RankedTexts[]): readonly string[] {
  const rank = byWords(catalog, catalog.length);
  return withoutTopic.flatMap((text) => {
    const picked = pickedFor(rank, text);
    return picked.length === 0 ? [] : [`${text}: ${picked.join(', ')}`];
  });
}

describe('the quality of the ranking by words', () => {
  it('picks nothing for 100 messages without a topic', () => {
    assert.equal(withoutTopic.length, 100);
    assert.deepEqual(falsePicks(items), []);
  });

  it('picks nothing for the word "code" alone, in a catalog of any size', () => {
    for (const size of [1, 3, 8]) {
      for (let from = 0; from < items.length; from += size) {
        const few = items.slice(from, from + size);
        const wrong = falsePicks(few);
        assert.ok(wrong.length <= 1, `${few.map(({ key }) => key).join()}\n${wrong.join('\n')}`);
        assert.deepEqual(pickedFor(byWords(few, size), 'code'), []);
      }
    }
  });

  it('finds what messages with a topic want', () => {
    const rank = byWords(items, items.length);
    const { wanted, rightlyNone } = pickedShares(rank, tried);
    assert.ok(recall(rank, tried) >= 0.7, String(recall(rank, tried)));
    assert.ok(wanted >= 0.44 && rightlyNone >= 0.75, `${String(wanted)} ${String(rightlyNone)}`);
  });

  it('picks an item for a message with one word of its topic', () => {
    const rank = byWords([{ key: 'rule:TypeScript', name: 'TypeScript', description: 'How to write code', headings: '', body: '' }], 1);
    assert.deepEqual(pickedFor(rank, 'code'), []);
    assert.deepEqual(pickedFor(rank, 'fix the TypeScript code'), ['rule:TypeScript']);
  });
});
