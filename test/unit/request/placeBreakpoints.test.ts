import assert from 'node:assert/strict';
import type { CacheRules } from '../../../src/engine/model/cacheRules.js';
import { placeBreakpoints, type Wish } from '../../../src/engine/request/placeBreakpoints.js';
import { conversationBlock } from '../../support/engine/blocks.js';
import { markedCache } from '../../support/engine/models.js';

/** The breakpoints of a prompt with five blocks of 100 tokens, as `index ttl`. */
function marked(wishes: readonly Wish[], rules: CacheRules): string[] {
  const blocks = ['a', 'b', 'c', 'd', 'e'].map((text) => ({
    ...conversationBlock(text, 'user', { type: 'text', text }, null),
    tokens: 100,
  }));
  const { messages } = placeBreakpoints({ tools: [], system: [], messages: [{ role: 'user', blocks }] }, wishes, rules);
  return (messages[0]?.blocks ?? []).flatMap(({ breakpoint }, at) => (breakpoint === null ? [] : [`${at} ${breakpoint.ttl}`]));
}

const short = (at: number): Wish => ({ at, isLong: false });
const long = (at: number): Wish => ({ at, isLong: true });

describe('cache breakpoints that a layout wants', () => {
  it('are placed as far as the provider takes them, the most important first', () => {
    assert.deepEqual(marked([short(4), short(1), short(3)], markedCache({ most: 2, minimumTokens: 0 })), ['1 5m', '4 5m']);
  });

  it('use up none of the few where the prefix is too short to be cached', () => {
    assert.deepEqual(marked([short(0), short(1), short(2)], markedCache({ most: 1, minimumTokens: 200 })), ['1 5m']);
  });

  it('live long where one behind them does, because no request may mix them otherwise', () => {
    assert.deepEqual(marked([short(4), long(2), short(1)], markedCache({ minimumTokens: 0 })), ['1 1h', '2 1h', '4 5m']);
  });

  it('are one at each place, the longer-lived', () => {
    assert.deepEqual(marked([short(3), long(3)], markedCache({ minimumTokens: 0 })), ['3 1h']);
  });

  it('have the only lifetime that the provider knows', () => {
    assert.deepEqual(marked([short(3), long(1)], markedCache({ minimumTokens: 0, lifetimes: ['30m'] })), ['1 30m', '3 30m']);
  });

  it('are none where the provider takes none', () => {
    for (const rules of [{ kind: 'none' }, { kind: 'unknown' }] as const) {
      assert.deepEqual(marked([short(4)], rules), []);
    }
  });
});
