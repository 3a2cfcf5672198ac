// The "extension tests" of VS Code's extension host: runs the suite in job.json next to this bundle.

import { readFileSync } from 'node:fs';
import { hasFailed, runSuite, type SuiteJob } from './mochaSuite.mjs';

/** Called by VS Code. An error makes it report a failed run. */
export async function run(): Promise<void> {
  const job = JSON.parse(readFileSync(new URL('job.json', import.meta.url), 'utf8')) as SuiteJob;
  const results = await runSuite(job);
  if (hasFailed(results)) throw new Error(results.error ?? 'Tests failed.');
}
