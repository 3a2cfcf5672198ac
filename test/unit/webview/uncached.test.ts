import assert from 'node:assert/strict';
import type { UncachedReason } from '../../../src/engine/next/uncachedReason.js';
import { uncachedInBrief, uncachedInWords, wayInWords } from '../../../src/protocol/uncached.js';
import { uncachedNote } from '../../../webview/chat/rows/uncached.js';
import { markup, words } from '../../support/webview/markup.js';
import { pressed } from '../../support/webview/pressed.js';

const item = (change: 'changed' | 'picked'): UncachedReason => ({
  kind: 'changed',
  change: { kind: 'item', name: 'src/tides/bpe.ts', change },
});
const tools = { kind: 'changed', change: { kind: 'tools', added: ['a', 'b', 'c', 'd'], removed: ['e'], changed: [] } } as const;

const REASONS: readonly (readonly [UncachedReason, string, string])[] = [
  [{ kind: 'unknown' }, 'unknown', 'Loupe does not know whether this provider caches'],
  [{ kind: 'noCache' }, 'no cache', 'this model has no cache'],
  [{ kind: 'off' }, 'turned off', 'the cache is off in the chat settings'],
  [
    { kind: 'tooShort', minimumTokens: 1_024, isSystemOnly: false },
    'too short',
    'the request is too short, as this model caches from 1,024 tokens on',
  ],
  [
    { kind: 'tooShort', minimumTokens: 1_024, isSystemOnly: true },
    'too short',
    'the chat caches only the system prompt, which is shorter than 1,024 tokens',
  ],
  [{ kind: 'new', isNewChat: true }, 'new chat', 'this chat is new'],
  [{ kind: 'new', isNewChat: false }, 'first time', 'nothing of the last request was cached'],
  [{ kind: 'expired', at: 7, isPartly: false }, 'expired', 'the cache expired at 7'],
  [{ kind: 'expired', at: 7, isPartly: true }, 'expired', 'a part of the cache expired at 7'],
  [{ kind: 'otherModel' }, 'other model', 'the last reply came from another model, and each model has its own cache'],
  [item('changed'), 'bpe.ts changed', 'src/tides/bpe.ts changed'],
  [item('picked'), 'bpe.ts picked', 'src/tides/bpe.ts matches this message, but not the previous one'],
  [tools, 'tools changed', 'the tools changed (added a, b, c and 1 more; removed e)'],
  [{ kind: 'changed', change: { kind: 'compacted', isUndone: false } }, 'summary', 'a summary replaced earlier messages'],
  [{ kind: 'changed', change: { kind: 'edited', what: 'reply' } }, 'edited', 'an earlier reply was replaced'],
  [{ kind: 'lost' }, 'lost', 'the provider no longer has the last request in its cache, although nothing changed'],
];

describe('why nothing is cached, in words', () => {
  for (const [reason, brief, sentence] of REASONS) {
    it(`is "${brief}": ${sentence}`, () => {
      assert.equal(uncachedInBrief(reason), brief);
      assert.equal(
        uncachedInWords(reason, (at) => `at ${String(at)}`),
        sentence,
      );
    });
  }

  it('has a button that changes the setting of the chat, where that helps', () => {
    const note = uncachedNote({ reason: { kind: 'off' }, way: 'cacheOn' }, 0, 'c');
    assert.match(
      words(markup(note)),
      /^Nothing comes from the cache: the cache is off in the chat settings\. Cache the whole conversation$/,
    );
    const change = { type: 'changeSetting', chatId: 'c' } as const;
    assert.deepEqual(pressed(note, 'Cache the whole conversation'), [{ ...change, name: 'cacheMode', value: 'cached' }]);
    const expired = uncachedNote({ reason: { kind: 'expired', at: Date.now(), isPartly: true }, way: 'longer' }, 3_000, 'c');
    assert.match(words(markup(expired)), /^Less comes from the cache: a part of the cache expired at \d\d:\d\d\. Keep the cache for 1 h$/);
    assert.deepEqual(pressed(expired, 'Keep the cache for 1 h'), [{ ...change, name: 'cacheLifetime', value: '1h' }]);
    const moved = uncachedNote({ reason: item('changed'), way: 'inPlace' }, 900, 'c');
    assert.match(words(markup(moved)), /^Less comes from the cache: src\/tides\/bpe\.ts changed\. Send changes at the end$/);
    assert.deepEqual(pressed(moved, 'Send changes at the end'), [{ ...change, name: 'layout', value: 'adaptive' }]);
    assert.doesNotMatch(markup(uncachedNote({ reason: { kind: 'new', isNewChat: true }, way: null }, 0, 'c')), /button/);
  });

  it('names the setting where there is no room for a button', () => {
    assert.equal(wayInWords('cacheOn'), 'To cache the whole conversation, change "Cache" in the chat settings.');
  });
});
