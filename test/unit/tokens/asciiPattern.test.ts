import assert from 'node:assert/strict';
import { asciiPattern } from '../../../src/engine/tokens/encodingCounter.js';

const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));

describe('the pattern for ASCII', () => {
  it('takes the same ASCII characters as each property does', () => {
    for (const property of ['L', 'Lu', 'Ll', 'Lt', 'Lm', 'Lo', 'M', 'N']) {
      for (const pattern of [`\\p{${property}}`, `[\\p{${property}}]`, `[^\\s\\p{${property}}]`]) {
        const [unicode, ascii] = [new RegExp(pattern, 'u'), new RegExp(asciiPattern(pattern))];
        assert.deepEqual(
          ASCII.filter((one) => ascii.test(one)),
          ASCII.filter((one) => unicode.test(one)),
          pattern,
        );
      }
    }
  });

  it('leaves everything else as it is', () => {
    assert.equal(
      asciiPattern("'s|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\[\\p{N}{1,3}\\]|\\s+(?!\\S)"),
      "'s|[^\\r\\nA-Za-z0-9]?[A-Za-z]+|\\[[0-9]{1,3}\\]|\\s+(?!\\S)",
    );
  });

  it('is not made of what it does not know', () => {
    assert.throws(() => asciiPattern('\\p{Sc}'), /not known/);
    assert.throws(() => asciiPattern('\\P{L}'), /not known/);
  });
});
