import assert from 'node:assert/strict';
import type { ReplyPart } from '../../../src/engine/chat/message/reply.js';
import type { TokenCounter } from '../../../src/engine/ports.js';
import { ReplyCount } from '../../../src/engine/run/replyTokens.js';
import { column } from '../../support/columns.js';
import { image } from '../../support/engine/messages.js';
import { characters } from '../../support/engine/ports.js';

const MUCH = 100_000;

describe('the count of a streaming reply', () => {
  const text = (length: number): ReplyPart => ({ type: 'text', text: 'x'.repeat(length) });

  /** Counts characters. `most` is the longest counted text. */
  function watched(): { readonly counter: TokenCounter; readonly most: () => number } {
    let most = 0;
    const stream = (): ReturnType<TokenCounter['stream']> => {
      const count = characters.stream();
      return {
        append(piece) {
          most = Math.max(most, piece.length);
          count.append(piece);
        },
        read: () => count.read(),
      };
    };
    return { counter: { ...characters, stream }, most: () => most };
  }

  it('is that of all of it, however it grows', () => {
    const { counter } = watched();
    const count = new ReplyCount(counter);
    assert.deepEqual(count.read([]), { tokens: 0, isExact: true });
    assert.deepEqual(count.read([text(0)]), { tokens: 0, isExact: true });
    for (const length of [3, 10, 10, 4]) {
      assert.deepEqual(count.read([text(length), undefined, text(1)]), { tokens: length + 1, isExact: true });
    }
  });

  it('is an estimate from the first image on, whose tokens nobody tells', () => {
    const count = new ReplyCount(watched().counter);
    assert.deepEqual(count.read([text(3), image('aa')]), { tokens: 3, isExact: false });
  });

  it('of much text that is there at once catches up over some reads, and is an estimate until then', () => {
    const { counter, most } = watched();
    const count = new ReplyCount(counter);
    const part = text(MUCH);
    const reads = Array.from({ length: 4 }, () => count.read([part]));
    assert.deepEqual(column(reads, 'isExact'), [false, false, false, true]);
    assert.ok(reads.every(({ tokens }) => tokens === MUCH));
    assert.ok(most() < MUCH / 2, String(most()));
  });
});
