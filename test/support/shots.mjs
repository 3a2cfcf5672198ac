// Saves pictures in out/screenshots/:
//
//   node test/support/shots.mjs [state of the preview] [--themes] [--widths]
//   node test/support/shots.mjs --window readmePicture    the picture of the README, in VS Code
//   node test/support/shots.mjs --window themeVariables   writes webview/preview/themes.json
//
// Without a state it takes all of them, in the first theme and the narrowest width.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { launchBrowser } from './browser.mjs';
import { makeRunFolder, outFolder } from './paths.mjs';
import { installForWorkbench, planPackage } from './pieces.mjs';
import { stopAll, stopOnSignals } from './processes.mjs';
import { installBrowser, prepareBase, prepareWorkbench, reportFailure, SetupError } from './setup.mjs';

const HEIGHT_PX = 900;

/** @param {{ state: string | undefined, themes: boolean, widths: boolean }} wanted */
async function takeStates({ state, themes, widths }) {
  const { startPreview } = await import('../../build/preview.mjs');
  const preview = await startPreview({ port: 0, watch: false });
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1_200, height: HEIGHT_PX } });
    await page.goto(preview.url);
    const options = (/** @type {string} */ name) => page.locator(`#${name} option`).allInnerTexts();
    const [allStates, allThemes, allWidths] = [await options('state'), await options('theme'), await options('width')];
    const chosen = state === undefined ? allStates : allStates.filter((name) => name === state);
    if (chosen.length === 0) throw new SetupError(`The preview has no state "${state}". It has:\n${allStates.join('\n')}`);
    for (const name of chosen) {
      for (const theme of themes ? allThemes : allThemes.slice(0, 1)) {
        for (const width of widths ? allWidths : allWidths.slice(0, 1)) {
          await page.goto(`${preview.url}?${new URLSearchParams({ state: name, theme, width })}`);
          await page.frameLocator('#panel').locator(`body[data-ready="${name}"]`).waitFor();
          const file = `${name}-${theme}-${width}.png`.replaceAll(/[^\w.-]+/g, '-').toLowerCase();
          await page.locator('#panel').screenshot({ path: join(outFolder, 'screenshots', file) });
          console.log(join('out/screenshots', file));
        }
      }
    }
  } finally {
    await browser.close();
    await preview.stop();
  }
}

/** @param {string} script - exports shoot(), below test/support/workbench */
async function runInWindow(script) {
  const { node } = await prepareWorkbench();
  const vsix = await planPackage(work).vsix();
  Object.assign(process.env, installForWorkbench({ vsix, extensions: join(work, 'extensions'), node }));
  const { buildTests } = await import('../../esbuild.mjs');
  await buildTests({ entries: [`support/workbench/${script}.ts`], folder: join(work, 'tests') });
  const { shoot } = await import(pathToFileURL(join(work, 'tests/support/workbench', `${script}.js`)).href);
  await shoot();
}

const work = makeRunFolder('shots');
const cleanUp = () => {
  rmSync(work, { recursive: true, force: true });
};
stopOnSignals(cleanUp);
try {
  const flag = /** @type {const} */ ({ type: 'boolean', default: false });
  const options = { themes: flag, widths: flag, window: /** @type {const} */ ({ type: 'string' }) };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  await prepareBase();
  await installBrowser();
  if (values.window === undefined) await takeStates({ state: positionals[0], themes: values.themes, widths: values.widths });
  else await runInWindow(values.window);
} catch (error) {
  reportFailure(error);
} finally {
  await stopAll();
  cleanUp();
}
