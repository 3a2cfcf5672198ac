import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { exportedHtml } from '../../../../src/host/inspector/exportedHtml.js';
import { openInspector } from '../../../support/host/openInspector.js';
import { useWindows } from '../../../support/host/window.js';

const KEY = 'stored-Key-0123456789abcdef';
const SERVER_SECRET = 'entered-for-the-tides-server';
const HOSTILE = '</pre></details><script>alert(1)</script><img src="https://tides.example/x.png" onerror="alert(1)">\u202E';

describe('An exported request', () => {
  const windows = useWindows();

  async function exported(message: string): Promise<{ html: string; counts: unknown }> {
    const { window, session } = await windows.openChat({}, message);
    const [id = ''] = [...session.state.attempts.keys()];
    const { view } = await openInspector(window, session.id, { id, ports: {} });
    view.dispose();
    assert.ok(view.inspected !== null);
    return exportedHtml(view.inspected, view, { keys: [KEY], servers: [SERVER_SECRET], homes: ['/home/mira'] });
  }

  it('is one file whose policy allows its own styles alone, and in which hostile text is text', async () => {
    const { html } = await exported(HOSTILE);
    const styles = /<style>([^<]*)<\/style>/.exec(html)?.[1] ?? '';
    const hash = createHash('sha256').update(styles).digest('base64');
    assert.ok(html.includes(`content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'"`));
    assert.doesNotMatch(html, /<(?:script|img|link|iframe|object|embed|form|base)\b/i);
    assert.doesNotMatch(html, /<[^>]*\s(?:on\w+|style|src)=/i);
    assert.match(html, /&lt;script&gt;alert\(1\)&lt;\/script&gt;&lt;img src=&quot;https:/);
    assert.doesNotMatch(html, /\u202E/);
    const links = [...html.matchAll(/href="([^"]*)"/g)].filter(([, to]) => to?.startsWith('#') !== true);
    assert.deepEqual(links, []);
  });

  it('holds no secret, in no text, name or line of the payload, and says what was blacked out', async () => {
    const { html, counts } = await exported(`My key is ${KEY} and ${SERVER_SECRET}, see /home/mira/notes.txt, or ask mira@tides.example.`);
    assert.deepEqual(counts, { key: 1, server: 1, home: 1, email: 1, data: 0 });
    assert.match(html, /Blacked out: 1 key, 1 secret of an MCP server, 1 home folder, 1 e-mail address\./);
    for (const secret of [KEY, SERVER_SECRET, '/home/mira', 'mira@tides.example']) {
      assert.ok(!html.includes(secret), secret);
    }
    const cut = await exported(`It is a long way from here to the end of my key, which is ${KEY}.`);
    assert.doesNotMatch(cut.html, new RegExp(KEY.slice(0, 6)));
    const image = await exported(`data:image/png;base64,${'QUJD'.repeat(10_000)}`);
    assert.ok(!image.html.includes('QUJDQUJD') && image.html.includes('data:image/png;base64,[Base64, 30,000 bytes]'));
    assert.match(image.html, /Blacked out: 1 image or other Base64 data\./);
    assert.match(html, /My key is \[key\] and \[secret\], see \[home\]\/notes\.txt, or ask \[e-mail address\]\./);
  });
});
