import { rm, utimes, writeFile } from 'node:fs/promises';
import { isObject, parseJson } from '../../engine/json.js';
import type { Clock } from '../../engine/ports.js';
import { STORAGE_WORK } from '../../engine/failures/storage.js';
import { reported, systemCode, withStorageError } from '../files/failure.js';
import { alivePath } from '../files/layout.js';
import { ifFile } from '../files/regularFile.js';

/*
 * Decides whether the writer of an open run is still alive. During an open run, a writer touches its file
 * `<writerId>.alive` every few seconds. The file exists before the run's first line and until after the run's last
 * line. So an open run without the file is dead.
 *
 * The file also names the process and the host. Its age alone would be too slow: after a crash of the extension host,
 * the user would see an "answering" chat for 20 s. If the process has ended, the writer is dead at once. The age
 * decides only for other hosts, and for a process id that now belongs to another process. If the process exists, the
 * limit is a minute, because on a very busy machine or disk a living writer was once 20 s too late.
 *
 * A time in the future gives no age: the clock was set back, or the clock of another host is ahead. A living writer
 * soon touches the file again. So such a file counts as fresh for the usual time after this window first saw it, and
 * again after each change. Otherwise, if the clock was set back by an hour, a killed writer would count as alive for
 * that hour, unless its process can be checked.
 */

/** The identity of one activation of the extension in a VS Code window. */
export interface WriterIdentity {
  /** Unique to the activation; see `isWriterId`. */
  readonly writerId: string;
  readonly pid: number;
  readonly host: string;
}

export type WriterState = 'alive' | 'dead';

/** Calls `tick` every `ms` until the returned function is called. */
export type Ticker = (ms: number, tick: () => void) => () => void;

/** Uses a timer that does not keep the process alive. */
export const nodeTicker: Ticker = (ms, tick) => {
  const timer = setInterval(tick, ms).unref();
  return () => {
    clearInterval(timer);
  };
};

const BEAT_MS = 5_000;
/** How long a living writer may leave its file untouched, in ms: four beats, for a busy or briefly suspended host. */
const STALE_MS = 20_000;
/** Like `STALE_MS`, if the writer's process still exists on this host. */
const STALE_HERE_MS = 60_000;

export interface HeartbeatOptions {
  /** The chat's folder, which must exist before `start`. */
  readonly folder: string;
  readonly self: WriterIdentity;
  readonly clock: Clock;
  readonly ticker: Ticker;
  /** Called when touching the file fails. */
  readonly report: (error: Error) => void;
}

/** Keeps this writer's `.alive` file of one chat fresh between `start` and `stop`. */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  readonly #path: string;
  #stopTicking: (() => void) | null = null;
  #lastBeat: Promise<void> = Promise.resolve();

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    this.#path = alivePath(options.folder, options.self.writerId);
  }

  /** Creates the file, and touches it regularly. Does nothing when already started. Throws system errors. */
  async start(): Promise<void> {
    if (this.#stopTicking !== null) {
      return;
    }
    await this.#create();
    this.#stopTicking = this.#options.ticker(BEAT_MS, () => {
      this.#lastBeat = this.#beat();
    });
  }

  /** Removes the file. Does nothing when already stopped. Never throws. */
  async stop(): Promise<void> {
    if (this.#stopTicking === null) {
      return;
    }
    this.#stopTicking();
    this.#stopTicking = null;
    // A beat that is still running could create the file again.
    await this.#lastBeat;
    await reported(STORAGE_WORK.tellRunning, rm(this.#path, { force: true }), this.#options.report);
  }

  async #create(): Promise<void> {
    const { pid, host } = this.#options.self;
    await writeFile(this.#path, JSON.stringify({ pid, host }));
    await this.#touch();
  }

  async #touch(): Promise<void> {
    const now = new Date(this.#options.clock.now());
    await utimes(this.#path, now, now);
  }

  #beat(): Promise<void> {
    const touched = this.#touch().catch((thrown: unknown) => {
      if (systemCode(thrown) !== 'ENOENT') {
        throw thrown;
      }
      return this.#create();
    });
    return reported(STORAGE_WORK.tellRunning, touched, this.#options.report);
  }
}

/** Decides from `.alive` files whether writers are alive. */
export class SignsOfLife {
  readonly #self: WriterIdentity;
  readonly #clock: Clock;
  /** Files with a time in the future, by path, and when this window first saw them. Both in epoch milliseconds. */
  readonly #ahead = new Map<string, { readonly mtimeMs: number; readonly seenAt: number }>();

  constructor(self: WriterIdentity, clock: Clock) {
    this.#self = self;
    this.#clock = clock;
  }

  /** Returns whether a writer with an open run in `folder` is alive. Throws `storage` if its file is unreadable. */
  async writerState(folder: string, writerId: string): Promise<WriterState> {
    if (writerId === this.#self.writerId) {
      return 'alive';
    }
    const path = alivePath(folder, writerId);
    // Writers create only regular files, so anything else is ignored.
    const sign = await withStorageError(STORAGE_WORK.askRunning, () =>
      ifFile(path, async (file) => ({ text: (await file.bytes(0, file.size)).toString('utf8'), mtimeMs: file.mtimeMs })),
    );
    const owner = sign === null ? null : parseOwner(sign.text);
    if (sign === null || (owner !== null && hasProcessEnded(owner, this.#self))) {
      this.#ahead.delete(path);
      return 'dead';
    }
    return this.#isFresh(path, sign.mtimeMs, staleAfter(owner, this.#self)) ? 'alive' : 'dead';
  }

  #isFresh(path: string, mtimeMs: number, limit: number): boolean {
    const now = this.#clock.now();
    const known = this.#ahead.get(path);
    const isUntouched = known?.mtimeMs === mtimeMs;
    const since = isUntouched ? known.seenAt : mtimeMs;
    if (since > now) {
      // This is also right if the clock was set back again: the earlier `seenAt` is then in the future.
      this.#ahead.set(path, { mtimeMs, seenAt: now });
      return true;
    }
    if (!isUntouched) {
      this.#ahead.delete(path);
    }
    return now - since < limit;
  }
}

export type ProcessName = Pick<WriterIdentity, 'pid' | 'host'>;

/** Whether an activation has certainly ended: its process does not exist, or now has a newer activation. */
export function hasProcessEnded(other: ProcessName, self: ProcessName): boolean {
  return other.host === self.host && (other.pid === self.pid || !processExists(other.pid));
}

/** Returns how many ms after the last touch a writer counts as dead. `owner` is null for an unknown process. */
export function staleAfter(owner: ProcessName | null, self: ProcessName): number {
  return owner?.host === self.host ? STALE_HERE_MS : STALE_MS;
}

/** Returns the process and host from a JSON text. Null for any other text, such as an incomplete file. */
export function parseOwner(text: string): ProcessName | null {
  const value = parseJson(text);
  const { pid, host } = isObject(value) ? value : {};
  // 0 and negative numbers name groups of processes.
  return typeof pid === 'number' && Number.isSafeInteger(pid) && pid > 0 && typeof host === 'string' ? { pid, host } : null;
}

function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // Other errors, such as EPERM, mean that the process exists.
    return systemCode(thrown) !== 'ESRCH';
  }
}
