import assert from 'node:assert/strict';
import { findMatches } from '../../../webview/chat/find/textRanges.js';

describe('Find in chat', () => {
  it('finds text whatever its case, also where marks or links cut it into pieces', () => {
    assert.deepEqual(findMatches(['A tide', ' gau', 'ge. The Tide'], 'tide gauge'), [
      { start: { piece: 0, offset: 2 }, end: { piece: 2, offset: 2 } },
    ]);
    assert.deepEqual(findMatches(['A tide', ' gau', 'ge. The Tide'], 'TIDE'), [
      { start: { piece: 0, offset: 2 }, end: { piece: 0, offset: 6 } },
      { start: { piece: 2, offset: 8 }, end: { piece: 2, offset: 12 } },
    ]);
  });

  it('takes what is typed as it is, and finds nothing for nothing', () => {
    const query = String.raw`a.b*(c)[d]{1}^$|\+?/`;
    assert.deepEqual(findMatches([`x${query}`, 'aXb'], query), [
      { start: { piece: 0, offset: 1 }, end: { piece: 0, offset: 1 + query.length } },
    ]);
    assert.deepEqual(findMatches(['aXb'], 'a.b'), []);
    assert.deepEqual([findMatches(['abc'], ''), findMatches([], 'a')], [[], []]);
  });

  it('counts places by UTF-16 units, as ranges do', () => {
    assert.deepEqual(findMatches(['', '🌊 Ä', 'rger'], 'ärger'), [{ start: { piece: 1, offset: 3 }, end: { piece: 2, offset: 4 } }]);
  });
});
