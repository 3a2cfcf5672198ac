import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout } from 'node:timers/promises';
import type { Watchdog } from '../../../tools/mcp/transport/watchdog.js';

/** How a command ended. */
export type CommandEnd =
  | { readonly kind: 'exited'; readonly code: number }
  /** Ended by a signal that was not ours. */
  | { readonly kind: 'killed'; readonly signal: string }
  /** Ended because our signal aborted. */
  | { readonly kind: 'aborted' }
  | { readonly kind: 'notStarted'; readonly reason: string };

export interface CommandOptions {
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly onOutput: (text: string) => void;
  /** Ends the command when the extension host is killed, or closes before a stubborn command has ended. */
  readonly watchdog: Pick<Watchdog, 'watch' | 'forget'>;
}

/** Between the request to end and the end by force: what build tools need to clean up. */
const GRACE_MS = 2_000;

/** How long output may come after the command has exited, from what it left running. */
const LATE_OUTPUT_MS = 500;

/** Between two looks at what is still running. */
const LOOK_MS = 20;

/** Environment of VS Code's own process, which makes other programs behave as parts of it. */
const OWN_VARIABLES = /^(ELECTRON_|VSCODE_)/;

/** Nobody is there to page or to answer. */
const UNATTENDED = { PAGER: 'cat', GIT_PAGER: 'cat', GIT_TERMINAL_PROMPT: '0' };

/**
 * Runs a command line in the shell of the system, without input. All that it has started in its process group ends with it, also when the
 * signal aborts. Never rejects.
 */
export async function runShellCommand(command: string, options: CommandOptions): Promise<CommandEnd> {
  if (options.signal.aborted) {
    return { kind: 'aborted' };
  }
  let child: ChildProcess;
  try {
    child = spawned(command, options.folder);
  } catch (thrown) {
    // Node throws some failures, such as that of a command line that is too long, and tells others by an event.
    return { kind: 'notStarted', reason: thrown instanceof Error ? thrown.message : String(thrown) };
  }
  const { pid } = child;
  if (pid === undefined) {
    return exit(child);
  }
  options.watchdog.watch(pid);
  const end = await endOf(child, options);
  options.watchdog.forget(pid);
  return end;
}

function spawned(command: string, folder: string): ChildProcess {
  const isWindows = process.platform === 'win32';
  return spawn(command, {
    shell: true,
    cwd: folder,
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group of its own, so that what it starts can be ended with it. On Windows that would open a console.
    detached: !isWindows,
    windowsHide: true,
  });
}

async function endOf(child: ChildProcess, { signal, onOutput }: CommandOptions): Promise<CommandEnd> {
  forwardOutput(child, onOutput);
  const stopped = { early: false };
  const stop = (): void => {
    stopped.early = true;
    void ended(child);
  };
  signal.addEventListener('abort', stop);
  const end = await exit(child);
  await outputEnd(child);
  signal.removeEventListener('abort', stop);
  await ended(child);
  // A process that has left the group may still hold them.
  child.stdout?.destroy();
  child.stderr?.destroy();
  return stopped.early ? { kind: 'aborted' } : end;
}

function environment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !OWN_VARIABLES.test(name));
  return { ...Object.fromEntries(inherited), ...UNATTENDED };
}

/** A character may arrive in two pieces. */
function forwardOutput(child: ChildProcess, onOutput: (text: string) => void): void {
  for (const stream of [child.stdout, child.stderr]) {
    const decoder = new StringDecoder('utf8');
    stream?.on('data', (bytes: Buffer) => {
      onOutput(decoder.write(bytes));
    });
    stream?.on('end', () => {
      onOutput(decoder.end());
    });
  }
}

function exit(child: ChildProcess): Promise<CommandEnd> {
  return new Promise((resolve) => {
    child.on('error', (error) => {
      resolve({ kind: 'notStarted', reason: error.message });
    });
    child.on('exit', (code, killedBy) => {
      resolve(code === null ? { kind: 'killed', signal: killedBy ?? 'unknown' } : { kind: 'exited', code });
    });
  });
}

/** Waits for the end of the output, but not for long: what still holds it open was left running. */
async function outputEnd(child: ChildProcess): Promise<void> {
  const isOpen = (): boolean => [child.stdout, child.stderr].some((stream) => stream?.readableEnded === false);
  for (let waited = 0; isOpen() && waited < LATE_OUTPUT_MS; waited += LOOK_MS) {
    await setTimeout(LOOK_MS);
  }
}

/** Ends the process group: first it is asked, then it is killed. Resolves when that is done, at once where all of it have ended. */
async function ended({ pid }: ChildProcess): Promise<void> {
  if (pid === undefined) {
    return;
  }
  if (process.platform === 'win32') {
    await killTree(pid);
    return;
  }
  const isThere = signalled(-pid, 'SIGTERM');
  for (let waited = 0; isThere && signalled(-pid, 0); waited += LOOK_MS) {
    if (waited >= GRACE_MS) {
      signalled(-pid, 'SIGKILL');
      return;
    }
    await setTimeout(LOOK_MS);
  }
}

function killTree(pid: number): Promise<void> {
  return new Promise((resolve) => {
    // Its failure means that the process has ended by itself.
    execFile('taskkill', ['/pid', String(pid), '/T', '/F'], () => {
      resolve();
    });
  });
}

/** Whether there was a process that got it. */
function signalled(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(group, signal);
  } catch {
    // All of the group have ended.
    return false;
  }
}
