// The process in which a suite runs that needs no VS Code around it:
//   node nodeSuite.mjs <file with a SuiteJob>

import { readFileSync } from 'node:fs';
import { hasFailed, runSuite } from './mochaSuite.mjs';
import { stopAll, stopOnSignals } from './processes.mjs';

/** How long the process can live after the last test. */
const IDLE_MS = 10_000;

stopOnSignals(() => undefined);
const [jobFile = ''] = process.argv.slice(2);
const results = await runSuite(JSON.parse(readFileSync(jobFile, 'utf8')));
process.exitCode = hasFailed(results) ? 1 : 0;
await stopAll();

// This timer does not keep the process alive. It fires only when something else does, which the tests should have
// closed.
setTimeout(() => {
  console.error(`The tests left these open: ${process.getActiveResourcesInfo().join(', ')}`);
  process.exit(3);
}, IDLE_MS).unref();
