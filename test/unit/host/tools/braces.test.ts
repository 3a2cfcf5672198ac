import assert from 'node:assert/strict';
import { bracedTexts } from '../../../../src/host/tools/prompts/braces.js';

describe('Texts in braces after a mark', () => {
  it('can have braces in pairs', () => {
    const text = 'A !{git log --format={%h}} b @{docs/a.md} {none} !{ls} @{b.md';
    assert.deepEqual(bracedTexts(text, '!'), ['git log --format={%h}', 'ls']);
    assert.deepEqual(bracedTexts(text, '@'), ['docs/a.md']);
  });

  it('can be nested, also after very many braces without an end', () => {
    assert.deepEqual(bracedTexts('!{a !{b} c} !{ !{d} }} e', '!'), ['a !{b} c', 'b', '!{d}', 'd']);
    assert.deepEqual(bracedTexts(`${'!{'.repeat(500_000)}x} y`, '!'), ['x']);
  });
});
