import { rm, utimes, writeFile } from 'node:fs/promises';
import { isObject, parseJson } from '../engine/json.js';
import type { Clock } from '../engine/ports.js';
import { STORAGE_WORK } from '../engine/failures/storage.js';
import { reported, systemCode, told } from './failure.js';
import { alivePath } from './layout.js';
import { ifFile } from './regularFile.js';

/*
 * Whether the writer of an open run still lives. While a writer has an open run it keeps a file
 * `<writerId>.alive` fresh. The file is there before the run's first line and goes after its last, so an open
 * run without it is a dead one.
 *
 * A stale file alone would leave the user in front of an "answering" chat for 20 s after the extension host was
 * killed, which is just when he watches. So the file also names process and host: where the process is known to
 * be gone, the writer is dead at once. Age decides only what that cannot: another host, or a process id that
 * has been given to someone else.
 *
 * A sign from the future has no age: the clock was set back since, or is another host's and ahead of this one. How far
 * ahead tells nothing, but a living writer touches its file again, by whatever clock. So such a sign counts from when it
 * was first seen, for as long as any other, and anew whenever it has changed. Without that, a writer that was killed
 * before the clock was set back by an hour would be answering for an hour, when its process cannot be asked for.
 */

/** One activation of the extension in one window. */
export interface WriterIdentity {
  /** Unique to the activation; see `isWriterId`. */
  readonly writerId: string;
  readonly pid: number;
  readonly host: string;
}

export type WriterState = 'alive' | 'dead';

/** Calls `tick` every `ms` until the returned function is called. */
export type Ticker = (ms: number, tick: () => void) => () => void;

/** Does not keep the process alive. */
export const nodeTicker: Ticker = (ms, tick) => {
  const timer = setInterval(tick, ms).unref();
  return () => {
    clearInterval(timer);
  };
};

const BEAT_MS = 5_000;
/** Four beats: a host that is busy or briefly suspended is not declared dead. */
export const STALE_MS = 20_000;

export interface HeartbeatOptions {
  /** The chat's folder, which exists before `start`. */
  readonly folder: string;
  readonly self: WriterIdentity;
  readonly clock: Clock;
  readonly ticker: Ticker;
  /** Takes the failure of a beat, which nobody waits for. */
  readonly report: (error: Error) => void;
}

/** Keeps the own `.alive` file of one chat fresh between `start` and `stop`. */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  readonly #path: string;
  #stopTicking: (() => void) | null = null;
  #lastBeat: Promise<void> = Promise.resolve();

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    this.#path = alivePath(options.folder, options.self.writerId);
  }

  /** Returns when the file is there. Does nothing while started; throws a system error when it cannot be made. */
  async start(): Promise<void> {
    if (this.#stopTicking !== null) {
      return;
    }
    await this.#create();
    this.#stopTicking = this.#options.ticker(BEAT_MS, () => {
      this.#lastBeat = this.#beat();
    });
  }

  /** Removes the file. Does nothing while stopped; never throws. */
  async stop(): Promise<void> {
    if (this.#stopTicking === null) {
      return;
    }
    this.#stopTicking();
    this.#stopTicking = null;
    // A beat under way could otherwise make the file again.
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

/** Tells by the signs of life of writers whether they live, as `self` can tell. */
export class SignsOfLife {
  readonly #self: WriterIdentity;
  readonly #clock: Clock;
  /** The signs from the future, by path: when they were touched, and when that was first seen, in epoch milliseconds. */
  readonly #ahead = new Map<string, { readonly mtimeMs: number; readonly seenAt: number }>();

  constructor(self: WriterIdentity, clock: Clock) {
    this.#self = self;
    this.#clock = clock;
  }

  /** Whether a writer with an open run in the chat of `folder` still lives. Throws `storage` when that cannot be told. */
  async writerState(folder: string, writerId: string): Promise<WriterState> {
    if (writerId === this.#self.writerId) {
      return 'alive';
    }
    const path = alivePath(folder, writerId);
    // Something that is no regular file was not made by a writer: it is no sign.
    const sign = await told(STORAGE_WORK.askRunning, () =>
      ifFile(path, async (file) => ({ text: (await file.bytes(0, file.size)).toString('utf8'), mtimeMs: file.mtimeMs })),
    );
    const owner = sign === null ? null : parseOwner(sign.text);
    if (sign === null || (owner !== null && isGone(owner, this.#self))) {
      this.#ahead.delete(path);
      return 'dead';
    }
    return this.#isFresh(path, sign.mtimeMs) ? 'alive' : 'dead';
  }

  #isFresh(path: string, mtimeMs: number): boolean {
    const now = this.#clock.now();
    const known = this.#ahead.get(path);
    const isUntouched = known?.mtimeMs === mtimeMs;
    const since = isUntouched ? known.seenAt : mtimeMs;
    if (since > now) {
      // Also when the clock was set back once more: what it was before tells nothing either.
      this.#ahead.set(path, { mtimeMs, seenAt: now });
      return true;
    }
    if (!isUntouched) {
      this.#ahead.delete(path);
    }
    return now - since < STALE_MS;
  }
}

export type ProcessName = Pick<WriterIdentity, 'pid' | 'host'>;

/**
 * Whether the activation in that process is certainly over: the process does not exist any more, or it is the
 * one that runs this, which has one activation at a time and asks about another.
 */
export function isGone(other: ProcessName, self: ProcessName): boolean {
  return other.host === self.host && (other.pid === self.pid || !processExists(other.pid));
}

/** Process and host from the JSON of a file; null for anything else, such as a file that is just being written. */
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
    // Any other error, such as EPERM, is about a process that exists.
    return systemCode(thrown) !== 'ESRCH';
  }
}
