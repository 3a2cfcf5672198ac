import assert from 'node:assert/strict';
import type { Conversion } from '../../../src/tools/web/conversion.js';
import { pageText } from '../../../src/tools/web/pageText.js';

const SENTENCE = 'The tide rises twice a day, and the gauge at the quay measures it. ';
const LONG = SENTENCE.repeat(8);

function converted(content: string | Uint8Array, contentType: string): Promise<Conversion> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return pageText({ bytes, contentType, address: 'https://tides.example/' });
}

async function textOf(content: string | Uint8Array, contentType: string): Promise<string> {
  const conversion = await converted(content, contentType);
  assert.ok(conversion.ok, JSON.stringify(conversion));
  return conversion.text;
}

async function markdown(body: string): Promise<string> {
  return textOf(`<html><head><title>T</title></head><body><article><p>${LONG}</p>${body}</article></body></html>`, 'text/html');
}

describe('the text of a web page', () => {
  it('is the article as Markdown, below its title, without menus and scripts', async () => {
    const html = `<html><head><title>Tides</title><style>p{}</style></head><body><nav><a href="/">Home</a></nav>
      <article><h1>Tides</h1><p>${LONG}</p><h2>Today</h2><p>High <b>water</b>.</p></article><script>alert(1)</script><footer>Imprint</footer></body></html>`;
    assert.equal(await textOf(html, 'text/html; charset=utf-8'), `# Tides\n\n${LONG.trim()}\n\n## Today\n\nHigh **water**.`);
  });

  it('keeps code with its language, lists and tables', async () => {
    const text = await markdown(
      '<pre><code class="language-ts">const a_b = 1;\n</code></pre><ul><li>one</li><li>two</li></ul><table><tr><th>Day</th><th>Height</th></tr><tr><td>1</td><td>4.2</td></tr></table>',
    );
    assert.ok(text.includes('```ts\nconst a_b = 1;\n```'), text);
    assert.ok(text.includes('- one\n- two'), text);
    assert.ok(text.includes('| Day | Height |\n| --- | --- |\n| 1 | 4.2 |'), text);
  });

  it('keeps links as their text, and images as their alternative text', async () => {
    const text = await markdown('<p>See <a href="https://other.example/x">the table</a> and <img src="a.png" alt="a chart">.</p>');
    assert.ok(text.endsWith('See the table and a chart.'), text);
  });

  it('is the whole page without an article', async () => {
    assert.equal(await textOf('<html><body><p>High water at noon.</p></body></html>', 'text/html'), 'High water at noon.');
    assert.equal(await textOf('High water at noon.', 'text/html'), 'High water at noon.');
  });

  it('is the same for other text', async () => {
    for (const type of ['text/plain', 'text/markdown', 'application/json', 'application/ld+json', 'application/xml', '']) {
      assert.equal(await textOf('{"high": "<b>"}', type), '{"high": "<b>"}', type);
    }
  });

  it('warns of a page without text', async () => {
    const conversion = await converted('<html><body><div id="app"></div><script>start()</script></body></html>', 'text/html');
    assert.deepEqual(conversion, { ok: true, title: null, text: '', warning: 'empty' });
  });

  it('warns of a form to log in that came instead of the page', async () => {
    const login = '<html><head><title>Log in</title></head><body><form>Name <input><input type="password"></form></body></html>';
    const asked = '<html><body><form action="/sso"><p>Enter your mail address.</p><input name="mail"></form></body></html>';
    for (const page of [login, asked]) {
      const conversion = await converted(page, 'text/html');
      assert.equal(conversion.ok && conversion.warning, 'login');
    }
  });

  it('does not warn of an ordinary page with a form to log in above its text', async () => {
    const forum = `<html><body><form><input type="password"></form><article><p>${LONG}</p></article></body></html>`;
    const whole = await converted(forum, 'text/html');
    assert.equal(whole.ok && whole.warning, null);
  });

  it('has a title of one line with at most 200 characters', async () => {
    const conversion = await converted(
      `<html><head><title>${'Tides \n 🌊'.repeat(100_000)}</title></head><body>High water</body></html>`,
      'text/html',
    );
    assert.ok(conversion.ok);
    const title = conversion.title ?? '';
    assert.deepEqual([Array.from(title).length, title.slice(0, 8), title.at(-1)], [200, 'Tides 🌊', '…']);
    assert.equal(conversion.text, `# ${title}\n\nHigh water`);
  });

  it('is refused above 1 MB', async () => {
    assert.deepEqual(await converted('a'.repeat(1024 * 1024 + 1), 'text/plain'), { ok: false, problem: 'textTooLarge' });
  });

  it('is refused for types that are no text, by their name', async () => {
    assert.deepEqual(await converted(Uint8Array.of(0x89, 0x50, 0), 'image/png'), { ok: false, problem: 'type', type: 'image/png' });
    assert.deepEqual(await converted(Uint8Array.of(1, 0, 2), ''), { ok: false, problem: 'type', type: 'unknown' });
  });

  describe('has the encoding', () => {
    const latin = (text: string): Uint8Array => Buffer.from(text, 'latin1');

    it('of the header', async () => {
      assert.equal(await textOf(latin('Höhe'), 'text/plain; charset=ISO-8859-1'), 'Höhe');
    });

    it('of the page itself', async () => {
      assert.equal(await textOf(latin('<html><head><meta charset="windows-1252"></head><body>Höhe</body></html>'), 'text/html'), 'Höhe');
    });

    it('of its byte order mark, before the header', async () => {
      const utf16 = Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from('Höhe', 'utf16le')]);
      assert.equal(await textOf(utf16, 'text/plain; charset=utf-8'), 'Höhe');
    });

    it('that fits, when the header names a wrong or unknown one', async () => {
      assert.equal(await textOf(latin('Höhe'), 'text/plain; charset=utf-8'), 'Höhe');
      assert.equal(await textOf('Höhe', 'text/plain; charset=klingon'), 'Höhe');
    });
  });

  it('is the text of a PDF file', async () => {
    assert.equal(await textOf(pdf('High water at noon'), 'application/pdf'), 'High water at noon');
    const broken = await converted('%PDF-1.4 and nothing more', 'application/pdf');
    assert.ok(!broken.ok && broken.problem === 'unreadable');
  });
});

/** A PDF file of one page with one line. */
function pdf(line: string): Uint8Array {
  const stream = `BT /F1 24 Tf 100 700 Td (${line}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${String(stream.length)} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let text = '%PDF-1.4\n';
  const places = objects.map((object, at) => {
    const place = text.length;
    text += `${String(at + 1)} 0 obj\n${object}\nendobj\n`;
    return place;
  });
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const size = String(objects.length + 1);
  return Buffer.from(
    `${text}xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${String(text.length)}\n%%EOF\n`,
  );
}
