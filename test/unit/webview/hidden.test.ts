import assert from 'node:assert/strict';
import fc from 'fast-check';
import { revealHidden, splitHidden } from '../../../webview/shared/hidden.js';
import { CODE_POINT } from '../../support/codePoint.js';
import { forAll } from '../../support/forAll.js';

describe('Hidden characters', () => {
  const hidden: [string, string][] = [
    ['\u202E', 'U+202E'],
    ['\u2066', 'U+2066'],
    ['\u200E', 'U+200E'],
    ['\u200B', 'U+200B'],
    ['\u2060', 'U+2060'],
    ['\uFEFF', 'U+FEFF'],
    ['\0', 'U+0000'],
    ['\u001B', 'U+001B'],
    ['\u007F', 'U+007F'],
    ['\u0085', 'U+0085'],
    ['\uD800', 'U+D800'],
    ['\uDFFF', 'U+DFFF'],
    ['\u{E0041}', 'U+E0041'],
  ];
  for (const [character, name] of hidden) {
    it(`names ${name}`, () => {
      assert.deepEqual(splitHidden(`a${character}b`), [{ text: 'a' }, { hidden: name }, { text: 'b' }]);
    });
  }

  it('leaves ordinary text in one piece', () => {
    for (const text of ['plain', 'tab\tand\r\nlines', 'äöü 漢字 עברית', '\u{1F600}', 'e\u0301']) {
      assert.deepEqual(splitHidden(text), [{ text }]);
    }
    assert.deepEqual(splitHidden(''), []);
  });

  it('keeps the joiner inside an emoji, but shows one between letters', () => {
    const family = '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}';
    const heart = '\u2764\uFE0F\u200D\u{1F525}';
    assert.deepEqual(splitHidden(family + heart), [{ text: family + heart }]);
    assert.deepEqual(splitHidden('a\u200Db'), [{ text: 'a' }, { hidden: 'U+200D' }, { text: 'b' }]);
  });

  it('loses nothing: what is visible plus what is named is the text', () => {
    const unit = fc.oneof(fc.string({ unit: CODE_POINT }), fc.constantFrom(...hidden.map(([character]) => character)));
    forAll(fc.array(unit), (parts) => {
      const text = parts.join('');
      const again = splitHidden(text)
        .map((piece) => ('hidden' in piece ? String.fromCodePoint(parseInt(piece.hidden.slice(2), 16)) : piece.text))
        .join('');
      assert.equal(again, text);
    });
  });

  it('writes names out where no markup is possible', () => {
    assert.equal(revealHidden('src/\u202Egnp.ts'), 'src/[U+202E]gnp.ts');
  });
});
