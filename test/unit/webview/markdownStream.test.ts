import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createRenderer } from '../../../webview/shared/markdown/renderer.js';
import { type Block, MarkdownStream } from '../../../webview/shared/markdown/stream.js';
import { depth } from '../../support/depth.mjs';
import { inRuns } from '../../support/forAll.js';

const md = createRenderer();

function html(block: Block): string {
  switch (block.kind) {
    case 'html':
      return block.html;
    case 'group':
      return block.open + block.items.join('') + block.close;
    case 'code':
      return `<pre data-info="${md.utils.escapeHtml(block.info)}"><code>${md.utils.escapeHtml(block.text)}</code></pre>\n`;
  }
}

/** The final page, and how often closed blocks were opened again. */
function stream(chunks: readonly string[]): { html: string; restarts: number } {
  const markdown = new MarkdownStream(md);
  let closed: Block[] = [];
  let restarts = 0;
  for (const step of [...chunks.map((chunk) => () => markdown.append(chunk)), () => markdown.finish()]) {
    const { restart, closed: more } = step();
    restarts += restart ? 1 : 0;
    closed = restart ? [...more] : [...closed, ...more];
  }
  return { html: closed.map(html).join(''), restarts };
}

function whole(text: string): string {
  return md.render(text);
}

const FRAGMENTS = [
  'word',
  ' ',
  '\n',
  '\n\n',
  '\r\n',
  '# ',
  '## x\n',
  '- ',
  '- a\n',
  '  ',
  '    ',
  '\t',
  '1. ',
  '2) ',
  '> ',
  '```',
  '```ts\n',
  '```markdown\n',
  '~~~\n',
  '```\n',
  '`',
  '``',
  '*',
  '**',
  '***',
  '---',
  '---\n',
  '===\n',
  '| a | b |\n',
  '|---|---|\n',
  '| 1 | 2 |\n',
  '[a]',
  '[a]: /url\n',
  '[a](http://x.y)',
  '![i](http://x/i.png)',
  '<b>',
  '</script>',
  'http://e.org',
  '\\',
  '&amp;',
  '\u{1F600}',
  '\0',
  'let x = 1;\n',
];

/** Lines that make long lists and tables, and lines that change their kind. */
const LINES = [
  ...['- a', '- **b** c', '- # h', '- ', '-', '-x', ' - a', '  - b', '   - c', '    - d', '- [ ] t', '- a | b', '- ```', '- > q'],
  ...['* a', '* * *', '+ a', '1. a', '1. a', '2. b | c', '7) c', '10. d', '   10. e', '  more', '    more', '      deep', 'lazy', '\tx'],
  ...['', '', '', '  ', '  ```', '   ```ts', '```', '~~~', '  let x;', '> q', '> - q', '---', '--|--', '=== ', '# h', '***bold***'],
  ...['| a | b |', '| a | b |', '|---|---|', '|:--|--:|', '| 1 | 2 |', '| `1 | 2', 'a | b', '|', '  | a | b |', '  |---|---|'],
  ...[
    'some words *and* more',
    '[a](u) b c',
    'x `code` y',
    'a b c  ',
    '* ',
    '**',
    '1',
    '== x',
    'end\\',
    'it is **so',
    'and** so `x',
    '` y z',
    'go on',
  ],
  ...['- some words *and* more', '  and more [x](y) z', '> some words', '> and more of them', '- - a b c', '1. it is so', '   and so on'],
  ...['\\[', '\\]', '$$', '\\[ a_1 \\]', 'x \\(a_1 b', 'c_2\\) $d$ 5$', '- [x] t u', '- [ ] some', '+ c', '$', '\\'],
  ...['[a] [b]', '- [a]: /url', '[b]: /url', '[b]: /url "t', 't"', '  [a]: /u', '[a]:'],
];

const fragments = fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 40 });

/** Sections with few different lines, so that lists and tables get long. */
const sections = fc
  .array(
    fc
      .array(fc.constantFrom(...LINES), { minLength: 1, maxLength: 6 })
      .chain((few) => fc.array(fc.constantFrom(...few), { minLength: 2, maxLength: 14 })),
    { minLength: 1, maxLength: 3 },
  )
  .map((all) => all.flat().map((line) => `${line}\n`));

function cut(pieces: fc.Arbitrary<string[]>): fc.Arbitrary<{ text: string; chunks: string[] }> {
  return fc.tuple(pieces, fc.array(fc.nat(12), { minLength: 1, maxLength: 12 })).map(([parts, sizes]) => {
    const text = parts.join('');
    const chunks: string[] = [];
    for (let at = 0, turn = 0; at < text.length; turn += 1) {
      const size = (sizes[turn % sizes.length] ?? 0) + 1;
      chunks.push(text.slice(at, at + size));
      at += size;
    }
    return { text, chunks };
  });
}

describe('Streamed Markdown', () => {
  it('ends as a table where the parser sees one, though its first line looked like a fence', () => {
    const text = '```| 1 | 2 |\n---|---|---|\n';
    assert.equal(stream(Array.from(text)).html, whole(text));
    assert.match(whole(text), /<table>/);
  });

  for (const [what, pieces] of Object.entries({ 'any text': fragments, 'lists, tables, fences and references': sections })) {
    it(`of ${what} ends as the same HTML as one render, however it was cut`, () => {
      inRuns(depth({ short: 300, deep: 7_500 })).forAll(cut(pieces), ({ text, chunks }) => {
        assert.equal(stream(chunks).html, whole(text));
      });
    });
  }

  it('makes no link of a line in a list that looked like its definition', () => {
    const text = '- Use [A] first.\n\n- [A]: the fast way';
    assert.equal(stream(Array.from(text)).html, whole(text));
  });

  it('renders again only for a text with link reference definitions', () => {
    assert.equal(stream(['a [x]\n\nb\n\n', 'c\n\n[x]: http://e.org\n']).restarts, 1);
    assert.equal(stream(['a [x]\n\nb\n\n', 'c\n\n']).restarts, 0);
  });

  it('closes a block once and for all when the next one is certain', () => {
    const markdown = new MarkdownStream(md);
    assert.deepEqual(markdown.append('one\n***').closed, []);
    assert.deepEqual(markdown.append('\n').closed.map(html), ['<p dir="auto">one</p>\n']);
    assert.deepEqual(markdown.append('two\n').closed.map(html), ['<hr>\n']);
    assert.deepEqual(markdown.append('and more\n').closed, []);
    assert.deepEqual(markdown.append('\n').closed.map(html), ['<p dir="auto">two\nand more</p>\n']);
    assert.deepEqual(markdown.append('\nlast').closed, []);
  });

  it('grows the text of an open fence, never showing what may be its end', () => {
    const markdown = new MarkdownStream(md);
    const shown: string[] = [];
    for (const chunk of ['```ts\nlet', ' x;\n', '``', '`', '\nafter\n\nend\n']) {
      shown.push(
        ...markdown
          .append(chunk)
          .open.filter((block) => block.kind === 'code')
          .map((block) => block.text),
      );
    }
    assert.deepEqual(shown, ['let', 'let x;\n', 'let x;\n', 'let x;\n']);
  });

  it('parses no block again that is closed', () => {
    const watched = createRenderer();
    const parse = watched.parse.bind(watched);
    watched.parse = (text, env) => {
      assert.ok(text.length < 200, `parsed ${text.length} characters again`);
      return parse(text, env);
    };
    const markdown = new MarkdownStream(watched);
    const text = 'Some words,\nand more.\n\n- item\n- **bold**\n\n```\nline\n```\n\n| a | b |\n|---|:-:|\n| 1 | `2` |\n\n'.repeat(50);
    for (let at = 0; at < text.length; at += 5) {
      markdown.append(text.slice(at, at + 5));
    }
    assert.deepEqual(markdown.finish().open, []);
  });

  it('shows a list as loose when it turns loose, and only then', () => {
    const markdown = new MarkdownStream(md);
    const shown = (text: string): string => markdown.append(text).open.map(html).join('');
    shown('- a\n- b\n- c\n');
    assert.doesNotMatch(shown('- d\n'), /<p>/);
    assert.doesNotMatch(shown('\nnot an item'), /<li><p>|<li>\n<p>/);
    const other = new MarkdownStream(md);
    other.append('- a\n- b\n- c\n');
    other.append('\n- d');
    assert.equal(other.append(' e\n').open.map(html).join(''), whole('- a\n- b\n- c\n\n- d e\n'));
  });

  it('cuts a table of very many empty cells as one render does', () => {
    const text = `${'|a'.repeat(400)}|\n${'|-'.repeat(400)}|\n${'|\n'.repeat(166)}`;
    assert.equal(stream([text.slice(0, 1_610), text.slice(1_610, 1_620), text.slice(1_620)]).html, whole(text));
  });
});
