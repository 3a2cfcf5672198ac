import { setImmediate } from 'node:timers/promises';
import * as threads from 'node:worker_threads';
import { DEEPEST_JSON, type Json } from '../../../engine/json.js';

interface Job {
  readonly line: Uint8Array<ArrayBuffer>;
  readonly deepest: number;
}

/**
 * The value of a line of JSON; undefined where it is none, or is nested deeper than `DEEPEST_JSON`. A thread of its own reads it: results of
 * 5 MB come in lines of twice that, because servers repeat them as structured content, and take 40 ms to read. The memory of the line,
 * which nothing else may be in, is gone afterwards.
 */
export async function readApart(line: Uint8Array<ArrayBuffer>): Promise<Json | undefined> {
  // To gather the line has taken some milliseconds of this turn.
  await setImmediate();
  const job: Job = { line, deepest: DEEPEST_JSON };
  return new Promise((resolve, reject) => {
    // The source of the function is the script: so it needs no file of its own beside the bundle.
    const worker = new threads.Worker(`(${readLine.toString()})(require('node:worker_threads'))`, {
      eval: true,
      workerData: job,
      transferList: [line.buffer],
      // What the thread of the extension host is started with is none of its business.
      env: {},
      execArgv: [],
    });
    worker.once('message', resolve).once('error', reject);
  });
}

/** What the thread does. It may use nothing from outside: only its source gets there. */
function readLine({ parentPort, workerData }: typeof threads): void {
  const { line, deepest } = workerData as Job;
  const parsed = (): unknown => {
    try {
      return JSON.parse(Buffer.from(line).toString('utf8'));
    } catch (thrown) {
      if (thrown instanceof SyntaxError) {
        return undefined;
      }
      throw thrown;
    }
  };
  const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;
  const value = parsed();
  let level = [value].filter(isContainer);
  for (let depth = 0; level.length > 0 && depth < deepest; depth += 1) {
    level = level.flatMap((each) => Object.values(each).filter(isContainer));
  }
  parentPort?.postMessage(level.length > 0 ? undefined : value);
}
