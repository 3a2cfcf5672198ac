import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createRenderer } from '../../../webview/shared/markdown/renderer.js';
import { type Block, MarkdownStream } from '../../../webview/shared/markdown/stream.js';

const md = createRenderer();

function html(block: Block): string {
  return block.kind === 'html'
    ? block.html
    : `<pre data-language="${md.utils.escapeHtml(block.language)}"><code>${md.utils.escapeHtml(block.text)}</code></pre>\n`;
}

/** What a reader has on the page at the end, and how often closed blocks were taken back. */
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

/** Pieces that meet each other in awkward ways. */
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

const chunked = fc
  .tuple(fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 40 }), fc.array(fc.nat(12), { minLength: 1, maxLength: 12 }))
  .map(([parts, sizes]) => {
    const text = parts.join('');
    const chunks: string[] = [];
    for (let at = 0, turn = 0; at < text.length; turn += 1) {
      const size = (sizes[turn % sizes.length] ?? 0) + 1;
      chunks.push(text.slice(at, at + size));
      at += size;
    }
    return { text, chunks };
  });

describe('Streamed Markdown', () => {
  it('ends as a table where the parser sees one, though its first line looked like a fence', () => {
    const text = '```| 1 | 2 |\n---|---|---|\n';
    assert.equal(stream(Array.from(text)).html, whole(text));
    assert.match(whole(text), /<table>/);
  });

  it('ends as the same HTML as one render, however it was cut', () => {
    fc.assert(
      fc.property(chunked, ({ text, chunks }) => {
        assert.equal(stream(chunks).html, whole(text));
      }),
      { numRuns: 3_000 },
    );
  });

  it('renders again only for a text with link reference definitions', () => {
    assert.equal(stream(['a [x]\n\nb\n\n', 'c\n\n[x]: http://e.org\n']).restarts, 1);
    assert.equal(stream(['a [x]\n\nb\n\n', 'c\n\n']).restarts, 0);
  });

  it('closes a block once and for all when the next one is certain', () => {
    const markdown = new MarkdownStream(md);
    assert.deepEqual(markdown.append('one\n\ntwo').closed, []);
    assert.deepEqual(markdown.append('\nmore\n').closed.map(html), ['<p>one</p>\n']);
    assert.deepEqual(markdown.append('and more\n\n').closed, []);
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

  it('reads a long fence in linear time', () => {
    const watched = createRenderer();
    const parse = watched.parse.bind(watched);
    watched.parse = (text, env) => {
      assert.ok(text.length < 200, `parsed ${text.length} characters again`);
      return parse(text, env);
    };
    const markdown = new MarkdownStream(watched);
    markdown.append('```\n');
    for (let line = 0; line < 1_000; line += 1) {
      markdown.append(`line ${line}\n`);
    }
  });
});
