// npm run figures [-- --files]: prints the figures of the code that changes are compared by. With --files, also prints
// the files behind each figure.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';
import { run } from './processes.mjs';
import { runScript } from './script.mjs';

const MANY_IMPORTS = 25;
const IMPORT = /^(?:import|export)\s+(?:type\s+)?(?:[^'";]*?from\s+)?'([^']+)'/gm;
/** What the panel and its next request are made of. */
const PANEL = /^src\/(?:host\/(?:panel|request)\/|protocol\/|host\/(?:services|panelServices|featureServices|windowServices)\.ts$)/;
const TIMEOUT_MS = 5 * 60_000;

const withFiles = process.argv.includes('--files');

/**
 * @param {string} title
 * @param {string[]} files
 */
function printCrossed(title, files) {
  const rooms = files.map((file) => /^src\/(?:host\/)?[^/]+/.exec(file)?.[0] ?? file);
  const counts = [...new Set(rooms)].map((room) => `${rooms.filter((of) => of === room).length} ${room}`);
  console.log(`${title}: ${files.length} (${counts.join(', ')})`);
  if (withFiles) for (const file of files) console.log(`  ${file}`);
}

const product = execFileSync('git', ['ls-files', 'src', 'webview'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));

/** @param {typeof product} files */
const size = (files) => `${files.reduce((lines, { text }) => lines + text.split('\n').length - 1, 0)} lines in ${files.length} files`;
const ofPanel = product.filter(({ file }) => PANEL.test(file));
const fanOut = product
  .map(({ file, text }) => ({ file, imports: new Set([...text.matchAll(IMPORT)].map(([, from]) => from)).size }))
  .filter(({ imports }) => imports > MANY_IMPORTS)
  .sort((a, b) => b.imports - a.imports);

console.log(`Product: ${size(product)}`);
console.log(`Panel, requests, protocol, services: ${size(ofPanel)}`);
console.log(`Files with more than ${MANY_IMPORTS} imports: ${fanOut.length}`);
for (const { file, imports } of fanOut) console.log(`  ${imports} ${file}`);

await runScript(async (work) => {
  const { buildTests } = await import('../../esbuild.mjs');
  await buildTests({ entries: ['support/host/crossed.ts'], folder: join(work, 'tests') });
  const program = join(work, 'tests/support/host/crossed.js');
  const { code, output } = await run(process.execPath, ['--enable-source-maps', program], { cwd: root, timeoutMs: TIMEOUT_MS });
  if (code !== 0) throw new Error(output);
  const { key, sent, composed, arranged, frame } = JSON.parse(output);
  printCrossed('Files from Enter to the wire', sent);
  printCrossed('Files of a keystroke', key);
  console.log(`Composes of one Send: ${composed}, arranged ${arranged}`);
  console.log(`Members per frame of a streaming reply: ${frame.median}, at most ${frame.most}, in ${frame.frames} frames`);
});
