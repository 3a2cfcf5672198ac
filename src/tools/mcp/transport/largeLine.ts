import { setImmediate } from 'node:timers/promises';
import * as threads from 'node:worker_threads';
import { DEEPEST_JSON, type Json } from '../../../engine/json.js';

interface ParseJob {
  readonly line: Uint8Array<ArrayBuffer>;
  readonly deepest: number;
}

/**
 * Parses a line of JSON in a worker thread. Undefined when it is invalid or nested deeper than `DEEPEST_JSON`. Results
 * of 5 MB come in lines of twice that, because servers repeat them as structured content, and take 40 ms to parse. The
 * line's buffer must hold nothing else, because the thread takes it over.
 */
export async function readApart(line: Uint8Array<ArrayBuffer>): Promise<Json | undefined> {
  // Yields first, because collecting the line took some milliseconds of this turn.
  await setImmediate();
  const job: ParseJob = { line, deepest: DEEPEST_JSON };
  return new Promise((resolve, reject) => {
    // The function's source is the script, so the bundle needs no extra file.
    const worker = new threads.Worker(`(${readLine.toString()})(require('node:worker_threads'))`, {
      eval: true,
      workerData: job,
      transferList: [line.buffer],
      // Does not pass on the environment and arguments of the extension host.
      env: {},
      execArgv: [],
    });
    worker.once('message', resolve).once('error', reject);
  });
}

/** Runs in the thread. Only its source is copied there, so it must not use anything from outside. */
function readLine({ parentPort, workerData }: typeof threads): void {
  const { line, deepest } = workerData as ParseJob;
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
