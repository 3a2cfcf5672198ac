// Pictures of the panel for a look at its design, into out/screenshots/:
//
//   node test/support/shots.mjs [--script <file.ts below test/>]
//
// A script exports shoot(workbench, tools) and brings the panel into the state
// to look at; without one, the panel is taken as it opens.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { makeRunFolder } from './paths.mjs';
import { installForWorkbench, planPackage } from './pieces.mjs';
import { stopAll, stopOnSignals } from './processes.mjs';
import { installBrowser, prepareBase, prepareWorkbench, reportFailure } from './setup.mjs';

const SHOTS = 'support/workbench/shots.ts';

const work = makeRunFolder('shots');
const cleanUp = () => {
  rmSync(work, { recursive: true, force: true });
};
stopOnSignals(cleanUp);
try {
  const { values } = parseArgs({ options: { script: { type: 'string' } } });
  const script = values.script?.replace(/^test\//, '');
  await prepareBase();
  const { node } = await prepareWorkbench();
  await installBrowser();
  const vsix = await planPackage(work).vsix();
  Object.assign(process.env, installForWorkbench({ vsix, extensions: join(work, 'extensions'), node }));
  const folder = join(work, 'tests');
  const entries = script === undefined ? [SHOTS] : [SHOTS, script];
  const { buildTests } = await import('../../esbuild.mjs');
  await buildTests({ entries, folder });
  const bundle = (/** @type {string} */ entry) => pathToFileURL(join(folder, entry.replace(/\.ts$/, '.js'))).href;
  const { takeShots } = await import(bundle(SHOTS));
  const prepared = script === undefined ? undefined : (await import(bundle(script))).shoot;
  for (const path of await takeShots(prepared)) console.log(path);
} catch (error) {
  reportFailure(error);
} finally {
  await stopAll();
  cleanUp();
}
