import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { copyGrammars } from '../../build/grammars.mjs';
import type { ScannedFile } from '../../src/engine/repository/symbols.js';
import { rejection } from '../support/rejection.js';
import { CRASH, ENDLESS, grammarFile, namesIn, ScanFolder } from '../support/symbols/scanFolder.js';

const SOURCE = 'export function tide(): void {}\n';

describe('the thread of a scan for symbols', () => {
  let scans: ScanFolder;
  before(async () => {
    scans = await ScanFolder.create();
  });
  afterEach(() => {
    scans.endThreads();
    scans.logged.length = 0;
  });
  after(() => scans.remove());

  /** Returns a folder whose grammar of Python runs `body`. */
  async function brokenGrammars(name: string, body: readonly number[]): Promise<string> {
    const folder = join(scans.folder, name);
    await copyGrammars(folder);
    await writeFile(join(folder, 'tree-sitter-python.wasm'), grammarFile('python', body));
    return folder;
  }

  const cases = [
    { problem: 'timeout', body: ENDLESS, limitMs: 8_000 },
    { problem: 'crashed', body: CRASH, limitMs: 60_000 },
  ];
  for (const { problem, body, limitMs } of cases) {
    it(`names the file of a grammar that has ${problem === 'timeout' ? 'no end' : 'crashed'}, and reads the others`, async () => {
      const scanner = scans.scanner({ grammars: await brokenGrammars(problem, body), limitMs });
      const files = await scans.write({ 'a.ts': SOURCE, 'b.py': 'x = 1\n', 'c.ts': `${SOURCE}//c` });
      const found = await scans.scan(scanner, files, new Map());
      assert.deepEqual(
        files.map((path) => namesIn(found.get(path))),
        [['tide'], problem, ['tide']],
      );
      const failed = found.get('b.py');
      assert.ok(failed !== undefined && failed.size === 6 && failed.mtimeMs > 0 && failed.hash === null);
      assert.match(scans.logged[0] ?? '', problem === 'timeout' ? /^"b\.py" .* more than 8 seconds/ : /^"b\.py" .* unreachable/);
      // A file with a known problem does not end the thread again.
      const again = await scans.scan(scanner, files, found);
      assert.deepEqual(again, found);
      assert.equal(scans.logged.length, 1);
    });
  }

  it('tries three files of a grammar that crashes', async () => {
    const scanner = scans.scanner({ grammars: await brokenGrammars('three', CRASH) });
    const contents = Array.from({ length: 200 }, (_, at) => [`py/${String(at)}.py`, `x = ${String(at)}\n`] as const);
    const files = await scans.write({ ...Object.fromEntries(contents), 'z.ts': SOURCE });
    const found = await scans.scan(scanner, files, new Map());
    assert.equal([...found.values()].filter(({ problem }) => problem === 'crashed').length, 200);
    assert.deepEqual(namesIn(found.get('z.ts')), ['tide']);
    assert.equal(scans.logged.length, 4);
    assert.match(scans.logged[3] ?? '', /: 197\.$/);
  });

  it('ends when the user cancels, and a later scan starts another', async () => {
    const scanner = scans.scanner({ grammars: await brokenGrammars('cancelled', ENDLESS) });
    const files = await scans.write({ 'a.ts': SOURCE, 'b.py': 'x = 1\n' });
    const cancel = new AbortController();
    const [root, known, signal] = [scans.root, new Map<string, ScannedFile>(), cancel.signal];
    const progress = (): void => undefined;
    const endless = rejection(scanner.scan({ root, files, known, signal, progress }));
    const waiting = scans.scan(scanner, ['a.ts'], known);
    cancel.abort();
    assert.equal((await endless).code, 'symbols.cancelled');
    assert.deepEqual(namesIn((await waiting).get('a.ts')), ['tide']);
    const late = scanner.scan({ root, files: [], known, signal, progress });
    assert.equal((await rejection(late)).code, 'symbols.cancelled');
  });

  it('fails the scan when it cannot start', async () => {
    const files = await scans.write({ 'a.ts': SOURCE });
    const missing = scans.scanner({ script: join(scans.folder, 'missing.mjs') });
    const error = await rejection(scans.scan(missing, files, new Map()));
    assert.equal(error.code, 'symbols.noThread');
    assert.match(error.message, /missing\.mjs/);
  });

  it('ends without scans, and the next scan starts another', async () => {
    const script = join(scans.folder, 'named.mjs');
    // Each thread notes a random name with each reply.
    await writeFile(
      script,
      `import { parentPort } from 'node:worker_threads';
      const name = String(Math.random());
      parentPort.on('message', ({ files }) => parentPort.postMessage({ files: files.map(({ path }) => ({ path })), notes: [name] }));`,
    );
    const threads = async (idleMs: number, isEnough: () => boolean): Promise<number> => {
      scans.logged.length = 0;
      const scanner = scans.scanner({ script, idleMs });
      do {
        await scans.scan(scanner, ['a.ts'], new Map());
        await setTimeout(1);
      } while (!isEnough());
      return new Set(scans.logged).size;
    };
    assert.equal(await threads(0, () => new Set(scans.logged).size === 2), 2);
    assert.equal(await threads(60_000, () => scans.logged.length === 5), 1);
  });
});
