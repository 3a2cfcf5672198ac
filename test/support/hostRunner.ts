// What VS Code's extension host loads as "extension tests": runs the suite
// described in job.json beside the bundle of this file.

import { readFileSync } from 'node:fs';
import { hasFailed, runSuite, type SuiteJob } from './mochaSuite.mjs';

/** Called by VS Code; an error makes it report a failed run. */
export async function run(): Promise<void> {
  const job = JSON.parse(readFileSync(new URL('job.json', import.meta.url), 'utf8')) as SuiteJob;
  const results = await runSuite(job);
  if (hasFailed(results)) throw new Error(results.error ?? 'Tests failed.');
}
