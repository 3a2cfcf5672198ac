import assert from 'node:assert/strict';
import { failure } from '../../../../src/engine/errors.js';
import type { CallOutcome } from '../../../../src/engine/tools/offered.js';
import type { LoadedPage } from '../../../../src/host/context/pages/pageFetches.js';
import { fetchPageTool } from '../../../../src/host/tools/workspace/fetchPage.js';

const PAGE: LoadedPage = { address: 'https://tides.example/', title: 'Tides', text: '# Tides\n\nAt noon.', bytes: 100, warning: null };

type Load = Parameters<typeof fetchPageTool>[0];

function call(load: Load, args: Readonly<Record<string, string | number>>, signal: AbortSignal): Promise<CallOutcome> {
  return fetchPageTool(load).run(args, { signal, onProgress: () => undefined } as never);
}

async function textOf(page: LoadedPage, from: number): Promise<string> {
  const { content } = await call(() => Promise.resolve(page), { url: page.address, from_line: from }, new AbortController().signal);
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

describe('fetch_page', () => {
  it('gives the address after redirects and the text of the page', async () => {
    assert.equal(await textOf(PAGE, 1), 'https://tides.example/\n\n1\t# Tides\n2\t\n3\tAt noon.');
  });

  it('cuts a long page at a line, and says where to read on', async () => {
    const lines = Array.from({ length: 3_000 }, (_, at) => `Line ${String(at + 1)} of the table of heights.`);
    const first = await textOf({ ...PAGE, text: lines.join('\n') }, 1);
    const next = /\(The page has 3000 lines\. Read on from line (\d+)\.\)$/.exec(first)?.[1];
    assert.ok(next !== undefined && first.length < 51_000);
    assert.ok(first.includes(`Line ${String(Number(next) - 1)} of`) && !first.includes(`Line ${next} of`));
    assert.ok((await textOf({ ...PAGE, text: lines.join('\n') }, Number(next))).startsWith(`${PAGE.address}\n\n${next}\tLine ${next} of`));
  });

  it('says that it cuts a long line', async () => {
    assert.match(
      await textOf({ ...PAGE, text: `${'x'.repeat(60_000)}\nend` }, 1),
      /^[^(]*x \(This line is cut\.\)\n\(The page has 2 lines\. Read on from line 2\.\)$/,
    );
  });

  it('tells the model of a form to log in, and of a failure', async () => {
    assert.match(await textOf({ ...PAGE, warning: 'login' }, 1), /form to log in/);
    const failed = await call(
      () => Promise.reject(failure('page.badAddress', { text: 'x:' })),
      { url: 'x:' },
      new AbortController().signal,
    );
    assert.equal(failed.isError, true);
    assert.match(JSON.stringify(failed.content), /is not the address of a web page/);
  });

  it('rejects when the call is stopped', async () => {
    const stop = new AbortController();
    const load: Load = () => {
      stop.abort(new Error('stopped'));
      return Promise.reject(failure('page.cancelled'));
    };
    await assert.rejects(call(load, { url: PAGE.address }, stop.signal), /stopped/);
  });

  it('does not say that it only reads, because an address can carry data away', () => {
    assert.equal(fetchPageTool(() => Promise.resolve(PAGE)).saysItOnlyReads, false);
  });
});
