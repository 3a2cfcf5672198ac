// npm run test:electron: the host suite in a downloaded desktop VS Code, where
// downloads are possible. On Linux without a display, run it under xvfb-run.

import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { judgeSuite } from './judge.mjs';
import { makeRunFolder, root } from './paths.mjs';
import { stageHostSuite } from './pieces.mjs';
import { stopOnSignals } from './processes.mjs';
import { makeTempFolder } from './server.mjs';
import { prepareBase, reportFailure, SetupError } from './setup.mjs';
import { findSuites } from './suites.mjs';
import { printTable } from './table.mjs';

/** @param {string} work */
async function main(work) {
  await prepareBase();
  const [suite] = findSuites({ suites: ['host'], files: [] });
  if (suite === undefined) throw new SetupError('There is no host suite.');
  const started = Date.now();
  const resultsFile = join(work, 'host.json');
  const staged = await stageHostSuite(suite, { work, grep: null }, resultsFile);
  const temp = makeTempFolder();
  const workspace = join(temp, 'workspace');
  cpSync(join(root, 'test/support/sample-workspace'), workspace, { recursive: true });
  const { runTests } = await import('@vscode/test-electron');
  /** @type {string | null} */
  let problem = null;
  try {
    await runTests({
      // The driver brings the language models of another extension.
      extensionDevelopmentPath: [staged.extensionFolder, join(root, 'test/support/driver-extension')],
      extensionTestsPath: staged.testsPath,
      launchArgs: [workspace, '--disable-extensions', '--user-data-dir', join(temp, 'user')],
    });
  } catch (error) {
    // Without a download there is no VS Code; a failed test is told by the results.
    if (!existsSync(resultsFile)) problem = error instanceof Error ? error.message : String(error);
  }
  if (existsSync(staged.reportFile)) console.log(readFileSync(staged.reportFile, 'utf8').trimEnd());
  const seconds = (Date.now() - started) / 1000;
  const row = judgeSuite(suite, [{ piece: suite, output: '', resultsFile, problem, seconds }], null);
  return printTable([row], { failedChecks: [], grep: null });
}

const work = makeRunFolder('run');
const cleanUp = () => {
  rmSync(work, { recursive: true, force: true });
};
stopOnSignals(cleanUp);
try {
  if (!(await main(work))) process.exitCode = 1;
} catch (error) {
  reportFailure(error);
} finally {
  cleanUp();
}
