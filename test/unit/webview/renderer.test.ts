import assert from 'node:assert/strict';
import { fileTarget, mayOpen } from '../../../webview/shared/controls/links.js';
import { createRenderer } from '../../../webview/shared/markdown/renderer.js';

const md = createRenderer();

describe('Link policy', () => {
  it('opens web and mail addresses only', () => {
    for (const href of ['http://e.org', 'https://e.org/a?b#c', 'HTTPS://E.ORG', 'mailto:a@b.c']) {
      assert.equal(mayOpen(href), true, href);
    }
    const refused = [
      '',
      '#a',
      '/etc/passwd',
      'a.md',
      '//e.org',
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'command:workbench.action.quit',
      'vscode://x/y',
      'file:///etc/passwd',
      'data:text/html,x',
      ' https://e.org',
      'https://',
      'http:e.org',
      'ftp://e.org',
    ];
    for (const href of refused) {
      assert.equal(mayOpen(href), false, href);
    }
  });
});

describe('Links to files', () => {
  it('name a path in the workspace, with a line', () => {
    for (const [href, path, line] of [
      ['src/gauge.ts:12', 'src/gauge.ts', 12],
      ['src/gauge.ts#L12', 'src/gauge.ts', 12],
      ['src/gauge.ts#L12-L20', 'src/gauge.ts', 12],
      ['./a.ts:3:7', './a.ts', 3],
      ['my%20notes.md', 'my notes.md', null],
      ['a/%zz.md', 'a/%zz.md', null],
    ] as const) {
      assert.deepEqual(fileTarget(href), { path, line }, href);
    }
  });

  it('are no absolute paths, none that lead upward, and no other schemes', () => {
    const refused = [
      '',
      '#a',
      '/etc/passwd',
      '//e.org',
      '../a.ts',
      'a/../../b',
      'a/%2e%2e/%2e%2e/b',
      '\\\\host\\a.ts',
      'C:\\a.ts',
      'c:/a.ts',
    ];
    const schemes = [
      'javascript:alert(1)',
      'javascript:1',
      'command:12',
      'command:a.b',
      'vscode://x/y',
      'file:///a.ts',
      'data:text/html,x',
      'https://e.org',
    ];
    for (const href of [...refused, ...schemes, 'a.ts%00', '%2Fetc%2Fpasswd', 'a.ts?x', 'word']) {
      assert.equal(fileTarget(href), null, href);
    }
  });

  it('are links that the model wrote', () => {
    const link = (href: string): string => `<a role="link" tabindex="0" data-href="${href}" title="${href}">`;
    assert.ok(md.render('[a file](src/gauge.ts#L12)').includes(`${link('src/gauge.ts#L12')}a file</a>`));
    assert.ok(md.render('[`a.ts:1`](https://e.org)').includes(`${link('https://e.org')}<code>a.ts:1</code></a>`));
    assert.doesNotMatch(md.render('[x](../a.ts)'), /data-href/);
  });
});

describe('Paths in a reply', () => {
  const pathsIn = (text: string): readonly string[] =>
    [...md.render(text).matchAll(/<span data-path="([^"]*)">/g)].flatMap((match) => match[1] ?? []);

  it('are marked in prose, with their line, and without the punctuation around them', () => {
    assert.deepEqual(pathsIn('See src/foo/bar.ts, ./x.ts#L3 and (src/foo.ts:12).'), ['src/foo/bar.ts', './x.ts#L3', 'src/foo.ts:12']);
    assert.deepEqual(pathsIn('- "package.json": read\n- **bin/loupe** runs'), ['package.json', 'bin/loupe']);
    assert.deepEqual(pathsIn('src/a.ts,src/b.ts;c.ts|d.ts'), ['src/a.ts', 'src/b.ts', 'c.ts', 'd.ts']);
    assert.deepEqual(pathsIn('请看src/foo.ts。然后，src/読む/a.ts'), ['src/foo.ts']);
    assert.equal(md.render('In src/a.ts: <b>'), '<p dir="auto">In <span data-path="src/a.ts">src/a.ts</span>: &lt;b&gt;</p>\n');
  });

  it('are marked in inline code that is nothing but a path', () => {
    assert.equal(
      md.render('`src/gauge.ts:12`'),
      '<p dir="auto"><span data-path="src/gauge.ts:12"><code>src/gauge.ts:12</code></span></p>\n',
    );
    assert.deepEqual(pathsIn('`docs/my notes.md` `app/[id]/page.tsx`'), ['docs/my notes.md', 'app/[id]/page.tsx']);
    assert.deepEqual(pathsIn('`import a from src/a.ts;` `a.b()` `{x.y}` `12:30` `a::b` `word` `../a.ts:1`'), []);
  });

  it('are no addresses, numbers, other words, links or blocks of code', () => {
    assert.deepEqual(pathsIn('https://e.org/src/a.ts http://e.org/a.ts#L1 mailto:a@b.de git@e.org:a/b.ts'), []);
    assert.deepEqual(pathsIn('1/2, 3.5, v1.2, etc. a... /etc/hosts ../up.ts C:/a.ts ... / ./'), []);
    assert.deepEqual(pathsIn('[src/a.ts](src/b.ts) ![src/c.ts](x.png)'), []);
    assert.deepEqual(pathsIn('```\nsrc/a.ts\n```\n\n    src/b.ts\n'), []);
  });

  it('are marked once when the parser reuses a text', () => {
    const env = {};
    md.render('src/a.ts\n', env);
    assert.equal(md.render('src/a.ts\n', env), '<p dir="auto"><span data-path="src/a.ts">src/a.ts</span></p>\n');
  });
});

describe('Rendered Markdown', () => {
  const hostile = [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[a](javascript:alert(1))',
    '[a](command:workbench.action.quit)',
    '[a](https://e.org "x\\" onmouseover=\\"alert(1)")',
    '![x](https://e.org/x.png)',
    '![x"><script>](javascript:alert(1))',
    '<https://e.org/"onclick="x>',
    '```"><script>\ncode\n```',
    '<a href="https://e.org">x</a>',
    '[![x](https://e.org/i.png)](https://e.org)',
    '![x](https://e.org/"onclick="x)',
    '- [x] <img src=x onerror=alert(1)>',
    '$$"><script>alert(1)</script>$$',
    '| <b onclick="x"> |\n|:--|\n| <i style="color:red"> |',
    '[r]\n\n[r]: data:text/html,<script>alert(1)</script>',
  ];
  it('has no element that could run, navigate or fetch', () => {
    for (const source of hostile) {
      const tags = [...md.render(source).matchAll(/<[a-z][^>]*>/g)].map(([tag]) => tag);
      for (const tag of tags) {
        assert.match(tag, /^<(?:a|br|code|div|em|h\d|hr|li|ol|p|pre|span|strong|table|tbody|td|th|thead|tr|ul)\b/, `${source}: ${tag}`);
        assert.doesNotMatch(tag, /\s(?:href|src|on\w+)=/, `${source}: ${tag}`);
      }
    }
  });

  it('keeps the target of a link that may open, and shows the one of a link that may not', () => {
    assert.equal(
      md.render('[a](https://e.org)'),
      '<p dir="auto"><a role="link" tabindex="0" data-href="https://e.org" title="https://e.org">a</a></p>\n',
    );
    assert.equal(
      md.render('[a](command:x)'),
      '<p dir="auto"><span class="inert-link">a</span><span class="link-target"> (command:x)</span></p>\n',
    );
  });

  it('shows an image as its words and its address', () => {
    assert.match(
      md.render('![a *b*](https://e.org/x.png)'),
      /\[image: a b\] <a [^>]*data-href="https:\/\/e.org\/x.png"[^>]*>https:\/\/e\.org\/x\.png<\/a>/,
    );
    assert.match(md.render('![a](data:image/png;base64,AA)'), /\[image: a\] data:image\/png;base64,AA<\/span>/);
    // A link contains no other link.
    assert.match(md.render('[![a](https://e.org/x.png)](https://e.org)'), /\[image: a\] https:\/\/e\.org\/x\.png<\/span><\/a>/);
  });

  it('keeps the alignment of columns, as classes', () => {
    const html = md.render('| a | b | c |\n|:--|:-:|--:|\n| 1 | 2 | 3 |\n');
    for (const side of ['left', 'center', 'right']) {
      assert.equal(html.split(`class="align-${side}"`).length - 1, 2, side);
    }
    assert.doesNotMatch(html, /style=/);
  });

  it('shows the boxes of task lists, with their state in words', () => {
    const html = md.render('- [ ] one\n- [x] two\n- [y] three\n\n[ ] four\n');
    assert.match(html, /<li><span class="task" role="img" aria-label="To do"><\/span> one/);
    assert.match(html, /<li><span class="task done" role="img" aria-label="Done"><\/span> two/);
    assert.match(html, /<li>\[y\] three/);
    assert.match(html, />\[ \] four/);
  });

  it('shows formulas exactly as they were written', () => {
    for (const formula of [
      '\\(a^2\\)',
      '\\[ a_1 * b_2 * c \\]',
      '$$x_1 \\, y_2$$',
      '$a_1\\,b_1$',
      '\\[\na\n=\n*b* \\\\\n+ c\n\\]',
      '$$\n- a\n$$',
    ]) {
      const html = md.render(`so\n\n${formula}\n\nend`);
      assert.ok(html.includes(`class="math">${formula}<`), html);
    }
    assert.match(md.render('$5 and *6* $7'), /\$5 and <em>6<\/em> \$7/);
    assert.match(md.render('\\(<img src=x onerror=alert(1)>\\)'), /&lt;img/);
    assert.match(md.render('$$\n<script>\n$$'), /&lt;script&gt;/);
  });

  it('gives each block the direction of its text', () => {
    for (const text of ['a', '# a', '- a', '1. a', '> a']) {
      assert.match(md.render(text), /^<\w+ dir="auto">/);
    }
  });

  it('makes links only of whole addresses', () => {
    assert.match(md.render('see https://e.org'), /data-href="https:\/\/e\.org"/);
    assert.doesNotMatch(md.render('see readme.md, e.org and a@b.c'), /data-href/);
  });

  it('makes two links of two addresses without a space between them, and one of an address inside another', () => {
    const linksIn = (text: string): readonly string[] =>
      [...md.render(text).matchAll(/data-href="([^"]*)"/g)].flatMap(([, href]) => href ?? []);
    for (const between of [',', ';', '|', '']) {
      assert.deepEqual(linksIn(`https://e.org/a${between}http://e.org/b`), ['https://e.org/a', 'http://e.org/b'], between);
    }
    for (const whole of ['https://e.org/web/2020/https://b.org/a', 'https://e.org/?to=https://b.org/a']) {
      assert.deepEqual(linksIn(whole), [whole]);
    }
  });
});

describe('Emphasis in Chinese, Japanese and Korean', () => {
  it('begins and ends next to punctuation', () => {
    for (const [text, html] of [
      ['**テスト。**テスト', '<strong>テスト。</strong>テスト'],
      ['这是**“重点”**内容', '这是<strong>“重点”</strong>内容'],
      ['**이것은(중요)**입니다', '<strong>이것은(중요)</strong>입니다'],
      ['*中文，*中文', '<em>中文，</em>中文'],
    ] as const) {
      assert.equal(md.renderInline(text), html);
    }
  });
});

describe('Fences', () => {
  /** The language and text of each code block. */
  const blocksOf = (text: string): readonly (readonly [string, string])[] =>
    md.parse(text, {}).flatMap(({ type, info, content }) => (type === 'fence' ? [[info, content] as const] : []));

  it('of Markdown contain fences with a language', () => {
    const document = ['# Install', '```bash', 'npm start', '```', 'Then:', '```ts', 'go();', '```', ''].join('\n');
    assert.deepEqual(blocksOf(`\`\`\`markdown\n${document}\`\`\`\nafter`), [['markdown', document]]);
  });

  it('of Markdown contain Markdown with fences', () => {
    const document = ['```md', '```js', '1', '```', '```', ''].join('\n');
    assert.deepEqual(blocksOf(`\`\`\`md\n${document}\`\`\`\n`), [['md', document]]);
  });

  it('of Markdown without inner fences, longer fences, and fences of other languages end as in CommonMark', () => {
    for (const [text, expected] of [
      [
        '```markdown\n# A\n```\nb\n```js\n1\n```\n',
        [
          ['markdown', '# A\n'],
          ['js', '1\n'],
        ],
      ],
      ['````markdown\n```js\n````\nb', [['markdown', '```js\n']]],
      ['~~~markdown\n```js\n~~~\nb', [['markdown', '```js\n']]],
      ['```text\n```js\n```\nb', [['text', '```js\n']]],
    ] as const) {
      assert.deepEqual(blocksOf(text), expected, text);
    }
  });
});
