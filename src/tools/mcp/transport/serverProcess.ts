import { spawn as spawnProcess, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import spawn from 'cross-spawn';
import { failure, type LoupeError } from '../../../engine/errors.js';
import type { ResolvedStdio } from '../resolveLaunch.js';
import type { OrphanReaper } from './orphanReaper.js';
import { refusePlanted } from './plantedProgram.js';

/** Time between checks whether a group has ended, in ms. Only child processes report their end with an event. */
const LOOK_MS = 25;

/** Maximum wait in ms for a server's last output after the end of its processes. */
const LAST_OUTPUT_MS = 1_000;

/**
 * A server as a process group. `npx` and shells start the real server as a child process, which must end with them.
 * Loupe cannot end processes that leave their group, as daemons do.
 */
export class ServerProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #pid: number;
  readonly #endMs: number;
  /** Resolves when all processes have ended and all output is read. The value says how: `with code 1`. */
  readonly ended: Promise<string>;

  private constructor(child: ChildProcessWithoutNullStreams, pid: number, endMs: number, reaper: OrphanReaper) {
    this.#child = child;
    this.#pid = pid;
    this.#endMs = endMs;
    const closed = once(child, 'close');
    const exited = new Promise<string>((resolve) => {
      child.once('exit', (code, signal) => {
        resolve(signal === null ? `with code ${String(code)}` : `by the signal ${signal}`);
      });
    });
    this.ended = exited.then(async (how) => {
      await this.#endGroup();
      reaper.forget(pid);
      await Promise.race([closed, delay(LAST_OUTPUT_MS, undefined, { ref: false })]);
      child.stdout.destroy();
      child.stderr.destroy();
      return how;
    });
  }

  /** Starts the process. Rejects with a `LoupeError` when the command cannot be started. */
  static async start(launch: ResolvedStdio, endMs: number, reaper: OrphanReaper): Promise<ServerProcess> {
    await refusePlanted(launch, process.platform);
    const child = spawned(launch);
    // Ignores this write error, because Loupe reports how the process ended, which says more.
    child.stdin.on('error', () => child.stdin.destroy());
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error) => {
        reject(startFailure(error, launch));
      });
    });
    if (child.pid === undefined) {
      throw new TypeError('A process that has been spawned has no id.');
    }
    reaper.watch(child.pid);
    return new ServerProcess(child, child.pid, endMs, reaper);
  }

  get pid(): number {
    return this.#pid;
  }

  get stdin(): NodeJS.WritableStream {
    return this.#child.stdin;
  }

  get stdout(): NodeJS.ReadableStream {
    return this.#child.stdout;
  }

  get stderr(): NodeJS.ReadableStream {
    return this.#child.stderr;
  }

  /** Closes the input, then ends the processes that still run. Resolves when all processes have ended. */
  async stop(): Promise<void> {
    this.#child.stdin.end();
    const isOver = await Promise.race([this.ended, delay(this.#endMs, 'late' as const, { ref: false })]);
    if (isOver === 'late') {
      await this.#endGroup();
      await this.ended;
    }
  }

  async kill(): Promise<void> {
    this.#signal('SIGKILL');
    await this.ended;
  }

  async #endGroup(): Promise<void> {
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (!this.#signal(signal)) {
        return;
      }
      const limit = performance.now() + this.#endMs;
      while (this.#signal(0) && performance.now() < limit) {
        await delay(LOOK_MS, undefined, { ref: false });
      }
    }
  }

  /** Sends a signal to the group. Returns whether a process received it. */
  #signal(signal: NodeJS.Signals | 0): boolean {
    if (process.platform === 'win32') {
      return this.#endTree(signal);
    }
    try {
      return process.kill(-this.#pid, signal);
    } catch (thrown) {
      // ESRCH: the group has no process. EPERM: macOS reports this for a group whose processes have all ended.
      if (thrown instanceof Error && 'code' in thrown && (thrown.code === 'ESRCH' || thrown.code === 'EPERM')) {
        return false;
      }
      throw thrown;
    }
  }

  /** Ends the process and its children. Windows has no groups and signals, but lists the children of a process. */
  #endTree(signal: NodeJS.Signals | 0): boolean {
    const isThere = this.#child.exitCode === null && this.#child.signalCode === null;
    if (isThere && signal !== 0) {
      spawnProcess('taskkill', ['/pid', String(this.#pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true });
    }
    return isThere;
  }
}

function spawned(launch: ResolvedStdio): ChildProcessWithoutNullStreams {
  const { command, args, env, cwd } = launch;
  try {
    // All three streams are pipes, which the types of cross-spawn do not say.
    return spawn(command, [...args], {
      env,
      cwd,
      stdio: 'pipe',
      detached: process.platform !== 'win32',
      windowsHide: true,
    }) as ChildProcessWithoutNullStreams;
  } catch (thrown) {
    // `spawn` throws, for example, when an argument contains NUL.
    throw startFailure(thrown, launch);
  }
}

function startFailure(error: unknown, { command, cwd }: ResolvedStdio): LoupeError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  if (code === 'ENOENT') {
    // The system reports the same error code for a missing working folder as for a missing command.
    const cause = { cause: error };
    return existsSync(cwd) ? failure('mcp.commandNotFound', { command }, cause) : failure('mcp.folderNotFound', { folder: cwd }, cause);
  }
  return failure('mcp.notStarted', { command, code }, { cause: error });
}
