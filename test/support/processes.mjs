// Child processes in their own group. They end as a group, also when this process is interrupted.

import { execFileSync, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const LOG_TAIL_LINES = 60;
/** The default time for a child to end after SIGTERM. */
const GRACE_MS = 5_000;

/**
 * @typedef {object} Child
 * @property {number} pid
 * @property {Promise<{ code: number | null, signal: NodeJS.Signals | null }>} ended
 * @property {() => boolean} alive
 * @property {() => string} output - all it has written so far, both streams
 * @property {() => string} tail - the last lines of it
 * @property {() => Promise<void>} stop - ends it and its children
 */

/** @type {Set<Child>} */
const running = new Set();

/** An interrupted process must not start children, because they would outlive it. */
const interrupted = { is: false };

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, echo?: boolean, graceMs?: number }} options
 *   echo: show the output as it comes; graceMs: its time to end before it is killed
 * @returns {Child}
 */
export function start(command, args, options) {
  if (interrupted.is) throw new Error(`Interrupted: ${command} is not started.`);
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: options.env ?? process.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  });
  /** @type {string[]} */
  const chunks = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (/** @type {string} */ text) => {
      chunks.push(text);
      if (options.echo === true) process.stdout.write(text);
    });
  }
  let alive = true;
  /** @type {Child['ended']} */
  const ended = new Promise((resolve) => {
    child.on('error', (error) => {
      chunks.push(`${command}: ${error.message}\n`);
      alive = false;
      resolve({ code: 127, signal: null });
    });
    // 'close' instead of 'exit': all output has arrived.
    child.on('close', (code, signal) => {
      alive = false;
      resolve({ code, signal });
    });
  });
  const pid = child.pid ?? -1;
  /** @type {Child} */
  const handle = {
    pid,
    ended,
    alive: () => alive,
    output: () => chunks.join(''),
    tail: () => lastLines(chunks.join('')),
    stop: async () => {
      if (alive && pid > 0) await endGroup(pid, ended, options.graceMs ?? GRACE_MS);
    },
  };
  running.add(handle);
  void ended.then(() => running.delete(handle));
  return handle;
}

/**
 * Runs a command to its end.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, echo?: boolean, timeoutMs?: number, graceMs?: number }} options
 * @returns {Promise<{ code: number, output: string, timedOut: boolean }>}
 */
export async function run(command, args, options) {
  const child = start(command, args, options);
  let timedOut = false;
  const timer =
    options.timeoutMs === undefined
      ? undefined
      : setTimeout(() => {
          timedOut = true;
          void child.stop();
        }, options.timeoutMs);
  const { code } = await child.ended;
  clearTimeout(timer);
  return { code: code ?? 1, output: child.output(), timedOut };
}

/** Ends everything that `start` and `run` have started. */
export async function stopAll() {
  await Promise.all([...running].map((child) => child.stop()));
}

/** An interrupt ends the children first, then calls `cleanUp`. */
export function stopOnSignals(/** @type {() => void | Promise<void>} */ cleanUp) {
  for (const [signal, code] of /** @type {const} */ ([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ])) {
    process.on(signal, () => {
      if (interrupted.is) return;
      interrupted.is = true;
      void stopAll()
        .then(cleanUp)
        .finally(() => process.exit(code));
    });
  }
}

/**
 * @param {number} pid
 * @param {Promise<unknown>} ended
 * @param {number} graceMs
 */
async function endGroup(pid, ended, graceMs) {
  signalGroup(pid, 'SIGTERM');
  const timer = setTimeout(() => {
    signalGroup(pid, 'SIGKILL');
  }, graceMs);
  await ended;
  clearTimeout(timer);
  // A grandchild can outlive its parent.
  signalGroup(pid, 'SIGKILL');
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals} signal
 */
function signalGroup(pid, signal) {
  try {
    if (process.platform === 'win32') execFileSync('taskkill', ['/pid', String(pid), '/T', '/F']);
    else process.kill(-pid, signal);
  } catch {
    // The group has ended.
    return;
  }
}

/** @param {number} pid */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * The processes below `ancestor`, with their command lines.
 *
 * @param {number} ancestor
 * @returns {{ pid: number, parent: number, command: string }[]}
 */
export function descendants(ancestor) {
  const all = process.platform === 'linux' ? readProc() : readPs();
  const found = [];
  const parents = [ancestor];
  for (let parent = parents.pop(); parent !== undefined; parent = parents.pop()) {
    for (const entry of all) {
      if (entry.parent !== parent) continue;
      found.push(entry);
      parents.push(entry.pid);
    }
  }
  return found;
}

function readProc() {
  const entries = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      // "pid (name) state parent ...": the name can contain spaces and brackets.
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
      entries.push({ pid: Number(name), parent, command });
    } catch {
      // It ended between listing and reading.
      continue;
    }
  }
  return entries;
}

function readPs() {
  const text = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,command='], { encoding: 'utf8' });
  return text.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line);
    if (match === null) return [];
    return [{ pid: Number(match[1]), parent: Number(match[2]), command: match[3] ?? '' }];
  });
}

/** @param {string} text */
export function lastLines(text) {
  return text.trimEnd().split('\n').slice(-LOG_TAIL_LINES).join('\n');
}
