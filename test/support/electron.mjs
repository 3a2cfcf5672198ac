// npm run test:electron: the host suite in desktop VS Code. On Linux without a display, run it under xvfb-run.
//
//   --vscode <path>   an installed VS Code (or VSCodium); without it, one is downloaded

import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { launchDesktop } from './desktop.mjs';
import { judgeSuite, readResults } from './judge.mjs';
import { root } from './paths.mjs';
import { planPackage, stageHostSuite } from './pieces.mjs';
import { runScript } from './script.mjs';
import { makeTempFolder } from './server.mjs';
import { prepareBase, SetupError } from './setup.mjs';
import { findSuites } from './suites.mjs';
import { printTable } from './table.mjs';

await runScript(async (work) => {
  const { values } = parseArgs({ options: { vscode: { type: 'string' } } });
  if (values.vscode !== undefined && !existsSync(values.vscode))
    throw new SetupError(`--vscode names ${values.vscode}, which is not there.`);
  await prepareBase();
  const [suite] = findSuites({ suites: ['host'], files: [] });
  if (suite === undefined) throw new SetupError('There is no host suite.');
  const started = Date.now();
  const resultsFile = join(work, 'host.json');
  const staged = await stageHostSuite(suite, { work, grep: null, ...planPackage(work) }, resultsFile);
  const temp = makeTempFolder();
  const workspace = join(temp, 'workspace');
  cpSync(join(root, 'test/support/sample-workspace'), workspace, { recursive: true });
  const problem = await launchDesktop({
    executable: values.vscode ?? null,
    // The driver contains another extension's language models.
    extensions: [staged.extensionFolder, join(root, 'test/support/driver-extension')],
    testsPath: staged.testsPath,
    workspace,
    userFolder: join(temp, 'user'),
  });
  if (existsSync(staged.reportFile)) console.log(readFileSync(staged.reportFile, 'utf8').trimEnd());
  const results = readResults(resultsFile);
  const end = { piece: suite, output: '', results, problem: results === null ? problem : null, seconds: (Date.now() - started) / 1000 };
  const row = judgeSuite(suite, [end], null);
  if (!printTable([row], { failedChecks: [], unsteady: [], grep: null })) process.exitCode = 1;
});
