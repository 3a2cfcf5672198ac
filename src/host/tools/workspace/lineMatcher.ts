import * as threads from 'node:worker_threads';

/** A matching line: its number, from 1, and the column of the match. */
export interface LineMatch {
  readonly line: number;
  readonly column: number;
}

interface MatchJob {
  readonly text: string;
  readonly most: number;
}

/** Memory limit of the worker thread in MB, several times the size of a file with its lines. */
const MOST_MEGABYTES = 128;

/**
 * Finds lines that match a regular expression, in a worker thread. A model's expression may run forever, and only
 * ending the thread stops it.
 */
export class LineMatcher {
  readonly #worker: threads.Worker;

  constructor(pattern: RegExp) {
    // The source of the function is the script of the thread, so the bundle needs no extra file.
    this.#worker = new threads.Worker(`(${matchLines.toString()})(require('node:worker_threads'))`, {
      eval: true,
      workerData: pattern,
      resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES },
      // Hides the environment and arguments of the extension host from the thread.
      env: {},
      execArgv: [],
    });
  }

  /** Returns the first `most` matching lines. On abort, ends the thread and rejects. Only one call at a time. */
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
      this.#worker.postMessage({ text, most } satisfies MatchJob);
    });
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** The script of the thread. Runs from its source text, and so cannot use anything outside this function. */
function matchLines({ parentPort, workerData }: typeof threads): void {
  const pattern = workerData as RegExp;
  parentPort?.on('message', ({ text, most }: MatchJob) => {
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
