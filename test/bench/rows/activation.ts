import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { staticSize } from '../../../esbuild.mjs';
import { root } from '../../support/paths.mjs';
import { inFolder } from '../folder.js';
import { medianOf, race } from '../race.js';
import type { Row } from '../row.js';

/** Replaces `vscode`, which exists only in the extension host. Everything can be called, constructed and read. */
const STUB = `
const anything = new Proxy(function () {}, { get: (_, name) => name === Symbol.toPrimitive ? () => '' : name === 'then' ? undefined : anything, apply: () => anything, construct: () => anything });
export const window = anything, workspace = anything, commands = anything, Uri = anything, EventEmitter = anything, Disposable = anything, lm = anything, languages = anything, env = anything;
`;

const HOOKS = `
export async function resolve(name, context, next) {
  return name === 'vscode' ? { url: ${JSON.stringify(dataUrl(STUB))}, shortCircuit: true } : next(name, context);
}
`;

const LOADER = `import { register } from 'node:module'; register(${JSON.stringify(dataUrl(HOOKS))});`;

const MEASURE = (file: string): string => `
const started = performance.now();
const extension = await import(${JSON.stringify(file)});
extension.activate?.({ subscriptions: [], extensionUri: '', extension: { packageJSON: { version: '' } } });
process.stdout.write(String(performance.now() - started));
`;

/** Reads, compiles and runs the start of the built extension in a fresh process, without VS Code's own share. */
export const activation: Row = {
  name: 'activation',
  job: 'activate the extension, in a fresh process',
  measure: () =>
    inFolder(async (folder) => {
      const built = join(root, 'dist/extension.js');
      if (!existsSync(built)) {
        throw new Error('There is no dist/extension.js: run npm run build first.');
      }
      const empty = join(folder, 'empty.mjs');
      await writeFile(empty, 'export function activate() {}');
      const samples = await race(
        [
          { name: 'Loupe', run: () => activate(folder, built) },
          { name: 'an empty extension', run: () => activate(folder, empty) },
        ],
        { rounds: 9 },
      );
      return {
        samples,
        amount: null,
        verdicts: [
          { what: 'ms to activate', measured: medianOf(samples, 'Loupe'), target: { atMost: 20 } },
          { what: 'KB read at activation', measured: (await startBytes()) / 1_000, target: { atMost: 100 } },
        ],
      };
    }),
};

async function activate(folder: string, file: string): Promise<number> {
  const loader = join(folder, 'loader.mjs');
  const script = join(folder, 'measure.mjs');
  await writeFile(loader, LOADER);
  await writeFile(script, MEASURE(pathToFileURL(file).href));
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', pathToFileURL(loader).href, script]);
  return Number(stdout);
}

function dataUrl(code: string): string {
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

/** The size of the start file and its static imports, as recorded by the build. */
async function startBytes(): Promise<number> {
  const meta = JSON.parse(await readFile(join(root, 'out/meta-extension.json'), 'utf8')) as Parameters<typeof staticSize>[0];
  const entry = Object.keys(meta.outputs).find((file) => meta.outputs[file]?.entryPoint === 'src/extension.ts');
  return staticSize(meta, entry ?? '');
}
