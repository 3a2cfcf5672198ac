// Builds the extension, the webviews, the rank tables of the token counters, the notices of the packages in them and,
// on request, the test bundles. Copies the grammars of the repository map.
//
//   node esbuild.mjs            production: minified, no source maps
//   node esbuild.mjs --dev      readable, with source maps
//   node esbuild.mjs --watch    --dev, and again at every change
//   node esbuild.mjs --tests    only the test bundles, into out/test/
//
// The extension is ESM with splitting: each dynamic import() becomes a separate chunk, and activation reads only
// dist/extension.js and its static imports. The build fails if that becomes too large.

import { existsSync, readdirSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { copyGrammars, GRAMMAR_DATA } from './build/grammars.mjs';
import { writeNotices } from './build/notices.mjs';
import { RANK_DATA, writeRankTables } from './build/rankTables.mjs';
import { watchReport } from './build/watchReport.mjs';

export const root = fileURLToPath(new URL('.', import.meta.url));

/** Most bytes read at activation. More would noticeably slow down the start. */
const ACTIVATION_LIMIT = 100 * 1024;

/**
 * CommonJS dependencies call require() for Node's own modules, which ES modules do not have. esbuild's helper uses this
 * one if it exists.
 */
const REQUIRE_BANNER = "import{createRequire as __loupeRequire}from'node:module';const require=__loupeRequire(import.meta.url);";

/** @satisfies {esbuild.BuildOptions} */
const common = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  splitting: true,
  metafile: true,
  logLevel: 'warning',
  legalComments: 'none',
};

/**
 * @param {boolean} dev
 * @param {string} folder
 * @returns {esbuild.BuildOptions & { metafile: true }}
 */
function extensionOptions(dev, folder) {
  return {
    ...common,
    // The workers are scripts of their own, because they run in other threads.
    entryPoints: [
      { in: 'src/extension.ts', out: 'extension' },
      { in: 'src/tools/web/pageWorker.ts', out: 'pageWorker' },
      { in: 'src/tools/symbols/symbolWorker.ts', out: 'symbolWorker' },
    ],
    outdir: folder,
    chunkNames: 'chunks/[name]-[hash]',
    platform: 'node',
    target: 'node20',
    external: ['vscode'],
    // Some packages list a CommonJS main first. Their ES module is smaller.
    mainFields: ['module', 'main'],
    banner: { js: REQUIRE_BANNER },
    minify: !dev,
    sourcemap: dev,
  };
}

/**
 * Creates one bundle for each webview/<name>/main.ts, and one for formulas: dist/webview/<name>.js and, if it imports
 * CSS, <name>.css.
 *
 * @param {boolean} dev
 * @param {string} folder
 * @returns {esbuild.BuildOptions & { metafile: true, entryPoints: { in: string, out: string }[] }}
 */
export function webviewOptions(dev, folder) {
  const sources = join(root, 'webview');
  const names = existsSync(sources) ? readdirSync(sources) : [];
  const entries = names
    .filter((name) => existsSync(join(sources, name, 'main.ts')))
    .map((name) => ({ in: `webview/${name}/main.ts`, out: name }));
  return {
    ...common,
    entryPoints: [...entries, { in: 'webview/shared/markdown/katex.ts', out: 'katex' }],
    outdir: join(folder, 'webview'),
    chunkNames: 'chunks/[name]-[hash]',
    // Fonts keep their names next to the style sheets.
    assetNames: '[name]',
    loader: { '.ttf': 'file', '.woff2': 'file' },
    // KaTeX lists each font in three formats. Every VS Code reads the first one.
    external: ['fonts/KaTeX_*.ttf', 'fonts/KaTeX_*.woff'],
    platform: 'browser',
    target: 'chrome120',
    conditions: dev ? ['development'] : ['production'],
    define: { 'process.env.NODE_ENV': dev ? '"development"' : '"production"' },
    minify: !dev,
    sourcemap: dev,
  };
}

/**
 * The scripts that tests use are not bundled: they find the repository by their own path, and share the list of what
 * they started.
 *
 * @type {esbuild.Plugin}
 */
const keepScripts = {
  name: 'keep-scripts',
  setup(build) {
    build.onResolve({ filter: /^\..*\.mjs$/ }, (args) => ({
      path: pathToFileURL(resolve(args.resolveDir, args.path)).href,
      external: true,
    }));
  },
};

/**
 * Every test file and the runner of the host suite. Packages are not bundled: the tests run inside the repository, and
 * some packages (playwright-core) find their own files by their path.
 *
 * @param {string[]} entries - below test/
 * @param {string} folder
 * @returns {esbuild.BuildOptions & { metafile: true }}
 */
function testOptions(entries, folder) {
  return {
    ...common,
    entryPoints: entries.map((file) => ({
      in: `test/${file}`,
      out: file.slice(0, -'.ts'.length),
    })),
    outdir: folder,
    chunkNames: 'chunks/[name]-[hash]',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    external: ['vscode'],
    plugins: [keepScripts],
    // Style sheets mean nothing in Node, but components import them.
    loader: { '.css': 'empty', '.ttf': 'empty' },
    sourcemap: true,
  };
}

/**
 * Returns the bytes that importing `entry` reads: the file and its static imports.
 *
 * @param {esbuild.Metafile} metafile
 * @param {string} entry
 */
export function staticSize(metafile, entry) {
  const seen = new Set();
  const waiting = [entry];
  let bytes = 0;
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    const output = metafile.outputs[file];
    if (output === undefined || seen.has(file)) continue;
    seen.add(file);
    bytes += output.bytes;
    for (const imported of output.imports) {
      if (imported.kind === 'import-statement') waiting.push(imported.path);
    }
  }
  return bytes;
}

/** @param {number} bytes */
function kib(bytes) {
  return `${(bytes / 1024).toFixed(1)} KiB`;
}

/** @returns {string[]} the test files and their runner, below test/ */
function allTestEntries() {
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.test.ts') && !file.startsWith('support/'));
  return [...files, 'support/hostRunner.ts'];
}

/**
 * Bundles test files: `test/unit/a.test.ts` becomes `<folder>/unit/a.test.js`.
 *
 * @param {{ entries: string[], folder: string }} options - entries are below test/
 */
export async function buildTests({ entries, folder }) {
  rmSync(folder, { recursive: true, force: true });
  await writeRankTables(root, join(root, 'out/ranks'));
  if (entries.length > 0) await esbuild.build(testOptions(entries, folder));
}

/**
 * Bundles test files now and after each change of their sources.
 *
 * @param {{ entries: string[], folder: string, built: () => Promise<void> }} options - built: called after each
 *   successful build; the next build waits for it
 */
export async function watchTests({ entries, folder, built }) {
  await writeRankTables(root, join(root, 'out/ranks'));
  const options = testOptions(entries, folder);
  /** @type {esbuild.Plugin} */
  const tell = {
    name: 'tell',
    setup(build) {
      build.onEnd(async ({ errors }) => {
        if (errors.length === 0) await built();
      });
    },
  };
  const context = await esbuild.context({ ...options, plugins: [...(options.plugins ?? []), tell] });
  await context.watch();
}

/** @param {{ dev: boolean, folder: string }} options - folder: usually dist */
export async function build({ dev, folder }) {
  rmSync(folder, { recursive: true, force: true });
  const [extension, webview] = await Promise.all([
    esbuild.build(extensionOptions(dev, folder)),
    esbuild.build(webviewOptions(dev, folder)),
    writeRankTables(root, join(folder, 'ranks')),
    copyGrammars(join(folder, 'grammars')),
  ]);
  await writeNotices({
    root,
    metafiles: [extension.metafile, webview.metafile],
    alsoPacked: [RANK_DATA, GRAMMAR_DATA],
    file: join(folder, 'THIRD_PARTY_NOTICES.txt'),
  });
  await mkdir(join(root, 'out'), { recursive: true });
  await writeFile(join(root, 'out/meta-extension.json'), JSON.stringify(extension.metafile));
  await writeFile(join(root, 'out/meta-webview.json'), JSON.stringify(webview.metafile));
  const activation = reportSizes(extension.metafile, webview.metafile);
  if (!dev && activation > ACTIVATION_LIMIT) {
    throw new Error(
      `Activation reads ${kib(activation)}, more than ${kib(ACTIVATION_LIMIT)}. ` +
        'Load what start-up does not need with import(). See out/meta-extension.json for its content.',
    );
  }
}

/**
 * @param {...esbuild.Metafile} metafiles
 * @returns {number} the bytes that activation reads
 */
function reportSizes(...metafiles) {
  let activation = 0;
  for (const metafile of metafiles) {
    for (const [file, output] of Object.entries(metafile.outputs)) {
      if (output.entryPoint === undefined || file.includes('/chunks/')) continue;
      const size = staticSize(metafile, file);
      console.log(`${output.entryPoint} -> ${kib(size)} read at its start`);
      if (output.entryPoint === 'src/extension.ts') activation = size;
    }
  }
  return activation;
}

async function watch() {
  const folder = join(root, 'dist');
  rmSync(folder, { recursive: true, force: true });
  await Promise.all([writeRankTables(root, join(folder, 'ranks')), copyGrammars(join(folder, 'grammars'))]);
  const report = watchReport(['extension', 'webview'], console.log);
  const contexts = await Promise.all([
    esbuild.context({ ...extensionOptions(true, folder), logLevel: 'silent', plugins: [report('extension')] }),
    esbuild.context({ ...webviewOptions(true, folder), logLevel: 'silent', plugins: [report('webview')] }),
  ]);
  await Promise.all(contexts.map((context) => context.watch()));
}

/** @param {string[]} args */
async function main(args) {
  const unknown = args.filter((arg) => !['--dev', '--watch', '--tests'].includes(arg));
  if (unknown.length > 0) throw new Error(`Unknown option ${unknown.join(' ')}`);
  if (args.includes('--watch')) return watch();
  if (args.includes('--tests')) {
    return buildTests({ entries: allTestEntries(), folder: join(root, 'out/test') });
  }
  return build({ dev: args.includes('--dev'), folder: join(root, 'dist') });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main(process.argv.slice(2)).catch((/** @type {unknown} */ error) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}
