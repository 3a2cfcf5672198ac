import { spawn as spawnProcess, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import spawn from 'cross-spawn';
import { failure, type LoupeError } from '../../../engine/errors.js';
import type { ResolvedStdio } from '../resolveLaunch.js';
import type { Watchdog } from './watchdog.js';

/** How often to look whether a group has ended, in ms: nothing tells of processes that are not our children. */
const LOOK_MS = 25;

/** How long after the end of all its processes the last output of a server may come, in ms. */
const LAST_OUTPUT_MS = 1_000;

/**
 * A server as a group of processes of its own: `npx` and shells start the server proper as a child, which must not outlive them.
 * A process that leaves its group by itself, as daemons do, is out of reach.
 */
export class ServerProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #pid: number;
  readonly #endMs: number;
  /** Resolves when no process is left and all output is read; with how it ended, such as `with code 1`. Never rejects. */
  readonly ended: Promise<string>;

  private constructor(child: ChildProcessWithoutNullStreams, pid: number, endMs: number, watchdog: Watchdog) {
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
      watchdog.forget(pid);
      await Promise.race([closed, delay(LAST_OUTPUT_MS, undefined, { ref: false })]);
      child.stdout.destroy();
      child.stderr.destroy();
      return how;
    });
  }

  /** Rejects with a `LoupeError` when the command cannot be started. */
  static async start(launch: ResolvedStdio, endMs: number, watchdog: Watchdog): Promise<ServerProcess> {
    const child = spawned(launch);
    // It may be gone before what we write: its end says more than that.
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
    watchdog.watch(child.pid);
    return new ServerProcess(child, child.pid, endMs, watchdog);
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

  /** Closes its input, and ends its processes when they go on. Resolves when none is left. */
  async stop(): Promise<void> {
    this.#child.stdin.end();
    const isOver = await Promise.race([this.ended, delay(this.#endMs, 'late' as const, { ref: false })]);
    if (isOver === 'late') {
      await this.#endGroup();
      await this.ended;
    }
  }

  /** Ends at once, without a word to it. */
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

  /** Whether a process of the group was there. */
  #signal(signal: NodeJS.Signals | 0): boolean {
    if (process.platform === 'win32') {
      return this.#endTree(signal);
    }
    try {
      return process.kill(-this.#pid, signal);
    } catch (thrown) {
      // ESRCH: none is left. EPERM: macOS says so of a group of which only zombies are left.
      if (thrown instanceof Error && 'code' in thrown && (thrown.code === 'ESRCH' || thrown.code === 'EPERM')) {
        return false;
      }
      throw thrown;
    }
  }

  /** Windows has no groups and no signals, but it knows who started whom while the parent is there. */
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
    // All three are pipes, which the types of cross-spawn do not know.
    return spawn(command, [...args], {
      env,
      cwd,
      stdio: 'pipe',
      detached: process.platform !== 'win32',
      windowsHide: true,
    }) as ChildProcessWithoutNullStreams;
  } catch (thrown) {
    // Such as a NUL in an argument.
    throw startFailure(thrown, launch);
  }
}

function startFailure(error: unknown, { command, cwd }: ResolvedStdio): LoupeError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  if (code === 'ENOENT') {
    // The system says the same of a missing folder.
    const cause = { cause: error };
    return existsSync(cwd) ? failure('mcp.commandNotFound', { command }, cause) : failure('mcp.folderNotFound', { folder: cwd }, cause);
  }
  return failure('mcp.notStarted', { command, code }, { cause: error });
}
