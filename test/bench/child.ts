import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { outFolder } from '../support/paths.mjs';

/** Where the build of the tests has written the rank tables. */
const RANKS = join(outFolder, 'ranks');

/*
 * The process that runs a job must not have loaded anything of what it measures before the clock starts: the rows
 * import their peers, so it runs `childMain.ts` instead of `main.ts`, and this file imports nothing but with `import()`.
 */

/** What a fresh process can be asked to do and to measure itself: its milliseconds. */
const JOBS: Readonly<Record<string, () => Promise<number>>> = {
  'count-loupe': () => timed(() => countFirst('hello world')),
  'count-loupe-unicode': () => timed(() => countFirst('hello “world”')),
  'count-js-tiktoken': () =>
    timed(async () => {
      const [{ Tiktoken }, { default: ranks }] = await Promise.all([import('js-tiktoken/lite'), import('js-tiktoken/ranks/o200k_base')]);
      return new Tiktoken(ranks).encode('hello world', [], []).length;
    }),
  'count-gpt-tokenizer': () =>
    timed(async () => {
      const { encode } = await import('gpt-tokenizer/encoding/o200k_base');
      return encode('hello world').length;
    }),
};

/** What the extension does at its first count, with the modules that it loads for it. */
async function countFirst(text: string): Promise<number> {
  const { loadCounter } = await import('../../src/host/tokens/counters.js');
  return (await loadCounter('o200k_base', RANKS)).count(text);
}

async function timed(job: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await job();
  return performance.now() - started;
}

/** Does a job in this process; called in the child. */
export async function doJob(name: string): Promise<number> {
  const job = JOBS[name];
  if (job === undefined) {
    throw new Error(`There is no job called ${name}.`);
  }
  return job();
}

/** Has a fresh process do a job and gives the milliseconds it measured, without the start of Node itself. */
export async function inFreshProcess(name: string): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...process.execArgv,
    join(dirname(process.argv[1] ?? ''), 'childMain.js'),
    name,
  ]);
  const ms = Number(stdout.trim());
  if (!Number.isFinite(ms)) {
    throw new Error(`The job ${name} answered ${JSON.stringify(stdout)}.`);
  }
  return ms;
}
