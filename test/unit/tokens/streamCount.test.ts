import assert from 'node:assert/strict';
import type { StreamedTokens } from '../../../src/engine/ports.js';
import { StreamCount } from '../../../src/engine/tokens/streamCount.js';

class Spy {
  given = 0;
  readonly count = (text: string): number => {
    this.given += text.length;
    return text.length;
  };
}

function readAlong(text: string, length: number, spy: Spy): StreamedTokens[] {
  const stream = new StreamCount(spy.count, ['afterLetter', 'afterDigit', 'afterLineBreak']);
  return Array.from({ length: Math.ceil(text.length / length) }, (_, index) => {
    stream.append(text.slice(index * length, (index + 1) * length));
    return stream.read();
  });
}

describe('the count of a growing text', () => {
  const PROSE = 'Words of a reply, with 12 numbers.\nAnd "quotes" (1,000 of them). '.repeat(200);

  it('is that of all of it at every moment', () => {
    for (const length of [1, 5]) {
      for (const [index, read] of readAlong(PROSE, length, new Spy()).entries()) {
        assert.deepEqual(read, { tokens: Math.min(PROSE.length, (index + 1) * length), isExact: true });
      }
    }
  });

  it('counts little more than what is new', () => {
    const spy = new Spy();
    readAlong(PROSE, 5, spy);
    assert.ok(spy.given < 4 * PROSE.length, String(spy.given / PROSE.length));
  });

  it('counts a text without a safe cut a few times over, however often it is looked at', () => {
    const spy = new Spy();
    const text = 'a'.repeat(200_000);
    readAlong(text, 50, spy);
    assert.ok(spy.given < 6 * text.length, String(spy.given / text.length));
  });

  it('estimates the end of such a text, says so, and is exact again behind the next cut', () => {
    const text = `${'a'.repeat(3_000)} b c`;
    const stream = new StreamCount((part) => Math.ceil(part.length / 8), ['afterLetter']);
    stream.append(text.slice(0, 2_990));
    assert.deepEqual(stream.read(), { tokens: 375, isExact: false });
    stream.append(text.slice(2_990));
    assert.deepEqual(stream.read(), { tokens: 375 + 1 + 1, isExact: true });
  });

  it('is the same in whatever pieces it came, the estimate included', () => {
    const text = `Some text. ${'='.repeat(1_500)}`;
    for (const length of [1, 7, 600, 5_000]) {
      const at = readAlong(text, length, new Spy()).at(-1);
      assert.deepEqual(at, readAlong(text, text.length, new Spy()).at(-1));
      assert.equal(at?.isExact, false);
    }
  });

  it('counts nothing of a text that has not begun', () => {
    assert.deepEqual(new StreamCount(new Spy().count, []).read(), { tokens: 0, isExact: true });
  });
});
