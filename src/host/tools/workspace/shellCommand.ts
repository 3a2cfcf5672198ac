import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout } from 'node:timers/promises';
import type { OrphanReaper } from '../../../tools/mcp/transport/orphanReaper.js';

export type CommandEnd =
  | { readonly kind: 'exited'; readonly code: number }
  /** Another program ended the command by this signal. */
  | { readonly kind: 'killed'; readonly signal: string }
  /** Loupe ended the command, because `CommandOptions.signal` aborted. */
  | { readonly kind: 'aborted' }
  | { readonly kind: 'notStarted'; readonly reason: string };

export interface CommandOptions {
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly onOutput: (text: string) => void;
  /** Ends the command if the extension host crashes or closes before the end of the command. */
  readonly reaper: Pick<OrphanReaper, 'watch' | 'forget'>;
}

/** Time in ms between SIGTERM and SIGKILL. Build tools clean up in this time. */
const GRACE_MS = 2_000;

/** Time in ms to read the output of background processes after the command has exited. */
const LATE_OUTPUT_MS = 500;

const LOOK_MS = 20;

/** Matches variables of VS Code's own process. Programs that inherit them would behave as parts of VS Code. */
const OWN_VARIABLES = /^(ELECTRON_|VSCODE_)/;

/** Environment without pagers and questions, because the user cannot answer. */
const UNATTENDED = { PAGER: 'cat', GIT_PAGER: 'cat', GIT_TERMINAL_PROMPT: '0' };

/** Runs a command line in the system's shell, without input. Then ends the process group. Never rejects. */
export async function runShellCommand(command: string, options: CommandOptions): Promise<CommandEnd> {
  if (options.signal.aborted) {
    return { kind: 'aborted' };
  }
  let child: ChildProcess;
  try {
    child = spawned(command, options.folder);
  } catch (thrown) {
    // Node throws for some failures, such as a command line that is too long, and reports other failures as events.
    return { kind: 'notStarted', reason: thrown instanceof Error ? thrown.message : String(thrown) };
  }
  const { pid } = child;
  if (pid === undefined) {
    return exit(child);
  }
  options.reaper.watch(pid);
  const end = await endOf(child, options);
  options.reaper.forget(pid);
  return end;
}

function spawned(command: string, folder: string): ChildProcess {
  const isWindows = process.platform === 'win32';
  return spawn(command, {
    shell: true,
    cwd: folder,
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
    // Creates a process group, which Loupe can end as a whole. On Windows, `detached` would open a console instead.
    detached: !isWindows,
    windowsHide: true,
  });
}

async function endOf(child: ChildProcess, { signal, onOutput }: CommandOptions): Promise<CommandEnd> {
  forwardOutput(child, onOutput);
  const stopped = { early: false };
  const stop = (): void => {
    stopped.early = true;
    void endProcessGroup(child);
  };
  signal.addEventListener('abort', stop);
  const end = await exit(child);
  await outputEnd(child);
  signal.removeEventListener('abort', stop);
  await endProcessGroup(child);
  // Closes the streams, because a process outside the group may keep them open.
  child.stdout?.destroy();
  child.stderr?.destroy();
  return stopped.early ? { kind: 'aborted' } : end;
}

function environment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !OWN_VARIABLES.test(name));
  return { ...Object.fromEntries(inherited), ...UNATTENDED };
}

/** Passes on the output as text. A character may be split between two chunks. */
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

/** Waits a short time for the end of the output, because a background process may keep the output open. */
async function outputEnd(child: ChildProcess): Promise<void> {
  const isOpen = (): boolean => [child.stdout, child.stderr].some((stream) => stream?.readableEnded === false);
  for (let waited = 0; isOpen() && waited < LATE_OUTPUT_MS; waited += LOOK_MS) {
    await setTimeout(LOOK_MS);
  }
}

/** Ends the process group, first by SIGTERM, then by SIGKILL. Resolves when all its processes have ended. */
async function endProcessGroup({ pid }: ChildProcess): Promise<void> {
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
    // An error means that the process has already ended.
    execFile('taskkill', ['/pid', String(pid), '/T', '/F'], () => {
      resolve();
    });
  });
}

function signalled(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(group, signal);
  } catch {
    return false;
  }
}
