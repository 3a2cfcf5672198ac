import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { WindowAnswer, WindowJob, WindowOperations, WindowRequest } from './windowProgram.js';

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

export class Killed extends Error {}

/** Controls a window in another process (`windowProgram.ts`). */
export class OtherWindow {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  #count = 0;

  /** `program`: the bundle of `windowProgram.ts`. */
  constructor(program: URL, job: WindowJob) {
    this.#child = fork(fileURLToPath(program), [JSON.stringify(job)], {
      // Not the arguments of the extension host, which can have a debugger.
      execArgv: ['--enable-source-maps'],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.#child.on('message', ({ number, result, error }: WindowAnswer) => {
      const waiting = this.#waiting.get(number);
      this.#waiting.delete(number);
      if (error === undefined) {
        waiting?.resolve(result);
      } else {
        waiting?.reject(new Error(error));
      }
    });
    this.#child.on('exit', (code, signal) => {
      for (const { reject } of this.#waiting.values()) {
        reject(new Killed(`The window ended (${String(signal ?? code)}).`));
      }
      this.#waiting.clear();
    });
  }

  ask<Name extends keyof WindowOperations>(
    operation: Name,
    ...args: Parameters<WindowOperations[Name]>
  ): Promise<Awaited<ReturnType<WindowOperations[Name]>>> {
    this.#count += 1;
    const request: WindowRequest = { number: this.#count, operation, args };
    return new Promise((resolve, reject) => {
      this.#waiting.set(request.number, { resolve: resolve as Waiting['resolve'], reject });
      this.#child.send(request);
    });
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const exit = once(this.#child, 'exit');
      this.#child.kill('SIGKILL');
      await exit;
    }
  }

  async close(): Promise<void> {
    await this.ask('close');
    const exit = once(this.#child, 'exit');
    this.#child.disconnect();
    await exit;
  }
}
