import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PageText } from '../../../src/tools/web/conversion.js';
import { convertPage } from '../../../src/tools/web/convertPage.js';
import { rejection } from '../../support/rejection.js';

const FILE = { url: new URL('https://tides.example/'), contentType: 'text/plain', bytes: Buffer.from('High water') };

describe('the thread that converts a page', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loupe-thread-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function convert(program: string, signal: AbortSignal): Promise<PageText> {
    const script = join(folder, 'worker.mjs');
    await writeFile(script, `import { parentPort, workerData } from 'node:worker_threads';\n${program}`);
    return convertPage(FILE, script, signal);
  }

  const codeOf = async (program: string): Promise<string> => (await rejection(convert(program, new AbortController().signal))).code;

  it('gets the file, and its message is the text', async () => {
    const program =
      'parentPort.postMessage({ ok: true, title: workerData.address, text: Buffer.from(workerData.bytes).toString(), warning: null });';
    assert.deepEqual(await convert(program, new AbortController().signal), {
      ok: true,
      title: 'https://tides.example/',
      text: 'High water',
      warning: null,
    });
  });

  it('fails the conversion when it ends without a message, or by an error', async () => {
    assert.equal(await codeOf('process.exit(0);'), 'page.unreadable');
    assert.equal(await codeOf(''), 'page.unreadable');
    assert.equal(await codeOf('throw new Error("no");'), 'page.unreadable');
  });

  it('says what is wrong with the file', async () => {
    assert.equal(await codeOf(`parentPort.postMessage({ ok: false, problem: 'textTooLarge' });`), 'page.textTooLarge');
    assert.equal(await codeOf(`parentPort.postMessage({ ok: false, problem: 'type', type: 'image/png' });`), 'page.type');
    assert.equal(await codeOf(`parentPort.postMessage({ ok: false, problem: 'unreadable', cause: 'no' });`), 'page.unreadable');
  });

  it('ends when the user cancels, also before it begins', async () => {
    const endless = 'setInterval(() => undefined, 1_000);';
    const cancel = new AbortController();
    const converting = rejection(convert(endless, cancel.signal));
    cancel.abort();
    assert.equal((await converting).code, 'page.cancelled');
    assert.equal((await rejection(convert(endless, AbortSignal.abort()))).code, 'page.cancelled');
  });
});
