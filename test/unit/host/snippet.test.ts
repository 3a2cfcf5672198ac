import assert from 'node:assert/strict';
import { snippet } from '../../../src/host/search/snippet.js';

/** The pieces of an excerpt whose match is between ‹ and ›. */
function pieces(marked: string, role: 'assistant' | 'user' | 'tool-results'): string {
  const matchStart = marked.indexOf('‹');
  const matchLength = marked.indexOf('›') - matchStart - 1;
  const { before, match, after } = snippet({ role, excerpt: marked.replace(/[‹›]/g, ''), matchStart, matchLength });
  return `${before}‹${match}›${after}`;
}

describe('The snippet of a message that was found', () => {
  for (const [name, excerpt, shown] of [
    ['bold text', 'A **lone ‹surrogate› is** three bytes', 'A lone ‹surrogate› is three bytes'],
    ['a match that is bold', 'A lone **‹surrogate›** is it', 'A lone ‹surrogate› is it'],
    ['bold text that is cut', '…is lone** and a ‹surrogate› is **never whole…', '…is lone and a ‹surrogate› is never whole…'],
    ['code', 'Use `count(‹text›)` or ``a ` b``.', 'Use count(‹text›) or a ` b.'],
    ['stars in code', 'Call `f(**‹kwargs›)` **now**', 'Call f(**‹kwargs›) now'],
    ['a fence', '```ts const ‹gauge› = 1; ``` So.', ' const ‹gauge› = 1; So.'],
    ['headings and items', '## The ‹tide›  - one  1. two', 'The ‹tide› one 1. two'],
    ['a link', 'See [the ‹guide›](https://a.b/c) and ![gauge](x.png)', 'See the ‹guide› and gauge'],
    ['a link that is cut', 'The ‹guide› is [here](https://a…', 'The ‹guide› is here'],
    ['white space', 'One.  Two ‹three›    four', 'One. Two ‹three› four'],
  ] as const) {
    it(`of a reply has no marks of ${name}`, () => {
      assert.equal(pieces(excerpt, 'assistant').trim(), shown.trim());
    });
  }

  it('keeps marks that are no Markdown: powers, names, and those the match touches', () => {
    for (const excerpt of ['2 ** 3 is ‹eight›, 2**3 too', '__init__ and ‹*args›, snake_case', 'two ‹**stars› here** it']) {
      assert.equal(pieces(excerpt, 'assistant'), excerpt);
    }
  });

  it('shows what the user and tools wrote as it is', () => {
    for (const role of ['user', 'tool-results'] as const) {
      assert.equal(pieces('# A **bold** ‹word› in `code`', role), '# A **bold** ‹word› in `code`');
    }
  });
});
