import assert from 'node:assert/strict';
import { mayOpen } from '../../../webview/shared/links.js';
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
    '[r]\n\n[r]: data:text/html,<script>alert(1)</script>',
  ];
  it('has no element that could run, navigate or fetch', () => {
    for (const source of hostile) {
      const tags = [...md.render(source).matchAll(/<[a-z][^>]*>/g)].map(([tag]) => tag);
      for (const tag of tags) {
        assert.match(tag, /^<(?:a|br|code|div|em|h\d|hr|li|ol|p|pre|span|strong|table)\b/, `${source}: ${tag}`);
        assert.doesNotMatch(tag, /\s(?:href|src|on\w+)=/, `${source}: ${tag}`);
      }
    }
  });

  it('keeps the target of a link that may open, and shows the one of a link that may not', () => {
    assert.equal(
      md.render('[a](https://e.org)'),
      '<p><a role="link" tabindex="0" data-href="https://e.org" title="https://e.org">a</a></p>\n',
    );
    assert.equal(md.render('[a](command:x)'), '<p><span class="inert-link">a</span><span class="link-target"> (command:x)</span></p>\n');
  });

  it('shows an image as its words and its address', () => {
    assert.match(md.render('![a *b*](https://e.org/x.png)'), /\[image: a b\] https:\/\/e\.org\/x\.png/);
  });

  it('makes links only of whole addresses', () => {
    assert.match(md.render('see https://e.org'), /data-href="https:\/\/e\.org"/);
    assert.doesNotMatch(md.render('see readme.md, e.org and a@b.c'), /data-href/);
  });
});
