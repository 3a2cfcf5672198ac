import { setImmediate } from 'node:timers/promises';
import * as threads from 'node:worker_threads';
import { DEEPEST_JSON, parseJson, type Json } from '../../engine/json.js';

/** Characters of a string that the thread hands over as it is, beside the JSON text of all else. */
const LONG_STRING = 64 * 1024;

interface Job {
  readonly line: Uint8Array<ArrayBuffer>;
  readonly longString: number;
  readonly deepest: number;
}

/** A list of one value, or of none, without its long strings, as JSON, and these with the keys that lead to what has them. */
interface Read {
  readonly json: string;
  readonly long: readonly { readonly around: readonly string[]; readonly key: string; readonly text: string }[];
}

/**
 * The value of a line of JSON; undefined where it is none, or is nested deeper than `DEEPEST_JSON`. A thread of its own reads it: results of
 * 5 MB come in lines of twice that, because servers repeat them as structured content, and take 40 ms to read. The texts that make a line
 * large come back as they are, which takes a quarter of that; many small values are read here a second time. The memory
 * of the line, which nothing else may be in, is gone afterwards. Rejects where the thread would need more memory than `mostBytes`: small
 * values take many times the bytes of their text, and VS Code has one space of 4 GB for all threads of the extension host.
 */
export async function readApart(line: Uint8Array<ArrayBuffer>, mostBytes: number): Promise<Json | undefined> {
  // To gather the line has taken some milliseconds of this turn.
  await setImmediate();
  const read = await inThread({ line, longString: LONG_STRING, deepest: DEEPEST_JSON }, mostBytes);
  const list = parseJson(read.json) as readonly Json[];
  for (const { around, key, text } of read.long) {
    let place = list as unknown as Record<string, unknown>;
    for (const outer of around) {
      place = place[outer] as Record<string, unknown>;
    }
    place[key] = text;
  }
  return list[0];
}

function inThread(job: Job, mostBytes: number): Promise<Read> {
  return new Promise((resolve, reject) => {
    // The source of the function is the script: so it needs no file of its own beside the bundle.
    const worker = new threads.Worker(`(${readLine.toString()})(require('node:worker_threads'))`, {
      eval: true,
      workerData: job,
      transferList: [job.line.buffer],
      // What the thread of the extension host is started with is none of its business.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: Math.ceil(mostBytes / 1024 ** 2) },
    });
    worker.once('message', resolve).once('error', reject);
  });
}

/** What the thread does. It may use nothing from outside: only its source gets there. */
function readLine({ parentPort, workerData }: typeof threads): void {
  interface Container {
    readonly values: Record<string, unknown>;
    readonly key: string;
    readonly around: Container | null;
  }
  const { line, longString, deepest } = workerData as Job;
  const keysTo = ({ key, around }: Container): string[] => (around === null ? [] : [...keysTo(around), key]);
  const parsed = (): unknown[] => {
    try {
      return [JSON.parse(Buffer.from(line).toString('utf8'))];
    } catch (thrown) {
      if (thrown instanceof SyntaxError) {
        return [];
      }
      throw thrown;
    }
  };
  const list = parsed();
  const long: { around: string[]; key: string; text: string }[] = [];
  let level: Container[] = [{ values: list as unknown as Record<string, unknown>, key: '', around: null }];
  // The list around the value is a level more.
  for (let depth = 0; level.length > 0 && depth <= deepest; depth += 1) {
    const next: Container[] = [];
    for (const container of level) {
      // The keys of a list are counted, not made: to make millions of them takes a minute.
      for (const each of Array.isArray(container.values) ? container.values.keys() : Object.keys(container.values)) {
        const key = String(each);
        const value = container.values[key];
        if (typeof value === 'string' && value.length >= longString) {
          long.push({ around: keysTo(container), key, text: value });
          container.values[key] = '';
        } else if (typeof value === 'object' && value !== null) {
          next.push({ values: value as Record<string, unknown>, key, around: container });
        }
      }
    }
    level = next;
  }
  parentPort?.postMessage(level.length > 0 ? { json: '[]', long: [] } : { json: JSON.stringify(list), long });
}
