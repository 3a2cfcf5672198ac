import * as threads from 'node:worker_threads';
import { messageOf } from '../../engine/errors.js';
import { CurrentFile, type ScanReply, type ScanRequest, type ScanThreadData } from './scanMessages.js';

/** Maximum memory of the thread's JavaScript. */
const MOST_MEGABYTES = 1024;

/** How often a request checks that the thread has begun another file, in parts of the time limit. */
const CHECKS = 10;

export interface ScanThreadOptions {
  /** Path of the bundle of `symbolWorker.ts`. */
  readonly script: string;
  readonly grammars: string;
  readonly cache: string;
  /** Maximum time for one file. */
  readonly limitMs: number;
}

/** The end of a thread before its reply. `index` is that of the file in the request, or null if no file was begun. */
export interface ThreadFailure {
  readonly problem: 'timeout' | 'crashed';
  readonly reason: string;
  readonly index: number | null;
  readonly size: number;
  readonly mtimeMs: number;
}

/** The thread that reads and parses files for a scan. Answers one request at a time. */
export class ScanThread {
  readonly #worker: threads.Worker;
  readonly #current = CurrentFile.create();
  readonly #limitMs: number;
  #error: Error | null = null;
  #hasEnded = false;

  constructor({ script, grammars, cache, limitMs }: ScanThreadOptions) {
    this.#limitMs = limitMs;
    this.#worker = new threads.Worker(script, {
      workerData: { grammars, cache, current: this.#current.buffer } satisfies ScanThreadData,
      resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES },
      // Hides the environment and arguments of the extension host from the thread.
      env: {},
      execArgv: [],
    });
    // An idle thread does not keep a process running.
    this.#worker.unref();
    // The thread can also fail before the first request.
    this.#worker.once('error', (error: Error) => {
      this.#error = error;
    });
    this.#worker.once('exit', () => {
      this.#hasEnded = true;
    });
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  end(): void {
    this.#hasEnded = true;
    void this.#worker.terminate();
  }

  /** Returns the reply, or a failure after which the thread has ended. Null when `signal` aborted. */
  ask(request: ScanRequest, signal: AbortSignal): Promise<ScanReply | ThreadFailure | null> {
    return new Promise((resolve) => {
      const settle = (result: ScanReply | ThreadFailure | null): void => {
        clearInterval(timer);
        signal.removeEventListener('abort', stopped);
        this.#worker.off('message', settle).off('exit', exited);
        resolve(result);
      };
      const endWith = (result: ThreadFailure | null): void => {
        this.end();
        settle(result);
      };
      const stopped = (): void => {
        endWith(null);
      };
      const timer = this.#watch(() => {
        endWith(this.#failed('timeout', `It took more than ${String(this.#limitMs / 1_000)} seconds.`));
      });
      const exited = (code: number): void => {
        // The event `error` came before.
        settle(this.#failed('crashed', this.#error === null ? `The thread ended with the code ${String(code)}.` : messageOf(this.#error)));
      };
      this.#worker.once('message', settle).once('exit', exited);
      signal.addEventListener('abort', stopped, { once: true });
      this.#worker.postMessage(request);
    });
  }

  /** Calls `late` when the thread reads the same file in many checks. So a sleeping computer does not count. */
  #watch(late: () => void): NodeJS.Timeout {
    let [checks, last] = [0, this.#current.index];
    return setInterval(() => {
      const { index } = this.#current;
      checks = index === last ? checks + 1 : 0;
      last = index;
      if (index !== null && checks >= CHECKS) {
        late();
      }
    }, this.#limitMs / CHECKS);
  }

  #failed(problem: ThreadFailure['problem'], reason: string): ThreadFailure {
    return { problem, reason, index: this.#current.index, ...this.#current.stat };
  }
}
