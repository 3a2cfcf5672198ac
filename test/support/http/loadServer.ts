import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { root } from '../paths.mjs';

export interface LongAnswer {
  readonly start: string;
  readonly piece: string;
  readonly times: number;
  readonly end: string;
}

/** A server in its own thread with the same long answer for each request. */
export class LoadServer {
  readonly url: string;
  readonly #worker: Worker;

  private constructor(worker: Worker, port: number) {
    this.#worker = worker;
    this.url = `http://127.0.0.1:${String(port)}`;
  }

  static async start(answer: LongAnswer): Promise<LoadServer> {
    const worker = new Worker(join(root, 'test/support/http/loadServer.mjs'), { workerData: answer });
    const [port] = (await once(worker, 'message')) as [number];
    return new LoadServer(worker, port);
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
