import * as threads from 'node:worker_threads';

/** A line that matches: its number from 1 on, and where in it the match begins. */
export interface LineMatch {
  readonly line: number;
  readonly column: number;
}

interface Job {
  readonly text: string;
  readonly most: number;
}

/** Memory of the thread: that of a file and its lines several times over. */
const MOST_MEGABYTES = 128;

/**
 * Finds the lines that match a regular expression, in a thread of its own. An expression that another one wrote can take for ever, and
 * nothing but the end of its thread stops it.
 */
export class LineMatcher {
  readonly #worker: threads.Worker;

  constructor(pattern: RegExp) {
    // The source of the function is the script: so it needs no file of its own beside the bundle.
    this.#worker = new threads.Worker(`(${matchLines.toString()})(require('node:worker_threads'))`, {
      eval: true,
      workerData: pattern,
      resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES },
      // What the thread of the extension host is started with is none of its business.
      env: {},
      execArgv: [],
    });
  }

  /** The first `most` lines of a text that match. Rejects when the signal aborts; then the thread has ended. One call at a time. */
  in(text: string, most: number, signal: AbortSignal): Promise<readonly LineMatch[]> {
    return new Promise((resolve, reject) => {
      const settle = (end: () => void): void => {
        this.#worker.off('message', found).off('error', failed);
        signal.removeEventListener('abort', stopped);
        end();
      };
      const found = (matches: readonly LineMatch[]): void => {
        settle(() => {
          resolve(matches);
        });
      };
      const failed = (error: unknown): void => {
        settle(() => {
          reject(error instanceof Error ? error : new Error(String(error)));
        });
      };
      const stopped = (): void => {
        void this.end();
        failed(signal.reason);
      };
      if (signal.aborted) {
        stopped();
        return;
      }
      this.#worker.on('message', found).on('error', failed);
      signal.addEventListener('abort', stopped);
      this.#worker.postMessage({ text, most } satisfies Job);
    });
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** What the thread does. It may use nothing from outside: only its source gets there. */
function matchLines({ parentPort, workerData }: typeof threads): void {
  const pattern = workerData as RegExp;
  parentPort?.on('message', ({ text, most }: Job) => {
    const found: LineMatch[] = [];
    let from = 0;
    for (let line = 1; from <= text.length && found.length < most; line += 1) {
      const feed = text.indexOf('\n', from);
      const end = feed === -1 ? text.length : feed;
      const column = text.slice(from, text[end - 1] === '\r' ? end - 1 : end).search(pattern);
      if (column !== -1) {
        found.push({ line, column });
      }
      from = end + 1;
    }
    parentPort.postMessage(found);
  });
}
