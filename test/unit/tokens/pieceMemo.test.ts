import assert from 'node:assert/strict';
import { PieceMemo } from '../../../src/engine/tokens/pieceMemo.js';
import { hashBytes } from '../../../src/engine/tokens/rankTable.js';
import { column } from '../../support/columns.js';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A memo of the second byte of each piece, and the computed pieces. */
function memoOfSecond(): { readonly get: (piece: string) => number; readonly asked: string[] } {
  const asked: string[] = [];
  const memo = new PieceMemo((bytes, from, to) => {
    asked.push(new TextDecoder().decode(bytes.subarray(from, to)));
    return from + 1 < to ? (bytes[from + 1] ?? 0) : 0;
  });
  return { get: (piece) => memo.get(bytesOf(`<${piece}>`), 1, 1 + bytesOf(piece).length), asked };
}

/** Two texts with equal length and hash. */
function collision(): readonly [string, string] {
  const byHash = new Map<number, string>();
  for (let number = 1; ; number += 1) {
    // Multiplied, so that the first digits differ too (Knuth's factor).
    const text = (Math.imul(number, 2_654_435_761) >>> 0).toString(36).padStart(8, 'x');
    const hash = hashBytes(bytesOf(text), 0, text.length);
    const other = byHash.get(hash);
    if (other !== undefined && other.charAt(1) !== text.charAt(1)) {
      return [other, text];
    }
    byHash.set(hash, text);
  }
}

describe('the memo of pieces', () => {
  it('counts a piece once, wherever it stands', () => {
    const { get, asked } = memoOfSecond();
    assert.deepEqual([get('abc'), get('b'), get('abc'), get('日')], [98, 0, 98, 0x97]);
    assert.deepEqual(asked, ['abc', 'b', '日']);
  });

  it('tells pieces of one hash apart', () => {
    const { get } = memoOfSecond();
    for (const piece of [...collision(), ...collision()]) {
      assert.equal(get(piece), piece.charCodeAt(1));
    }
  });

  it('remembers none that is long', () => {
    const { get, asked } = memoOfSecond();
    get('a'.repeat(65));
    get('a'.repeat(65));
    get('a'.repeat(64));
    get('a'.repeat(64));
    assert.deepEqual(column(asked, 'length'), [65, 65, 64]);
  });

  it('forgets all of them when it is full, and begins anew', () => {
    const { get, asked } = memoOfSecond();
    const pieces = Array.from({ length: 65_536 }, (_, index) => `w${String.fromCharCode(97 + (index % 26))}${String(index)}`);
    const all = (): void => {
      assert.ok(pieces.every((piece) => get(piece) === piece.charCodeAt(1)));
    };
    all();
    all();
    assert.equal(asked.length, pieces.length);
    get('one more');
    all();
    all();
    assert.ok(asked.length > 2 * pieces.length);
  });

  it('forgets all of them when their bytes are too many, and begins anew', () => {
    const { get, asked } = memoOfSecond();
    const pieces = Array.from({ length: 16_385 }, (_, index) => String(index).padStart(64, '.'));
    assert.ok(pieces.every((piece) => get(piece) === 46));
    assert.equal(get(pieces[5] ?? ''), 46);
    assert.equal(asked.length, pieces.length + 1);
  });
});
