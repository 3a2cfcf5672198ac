import { link, open, rename, rm } from 'node:fs/promises';
import { STORAGE_WORK } from '../engine/failures/storage.js';
import type { Clock } from '../engine/ports.js';
import { reported, storageError, systemCode, orIfMissing } from './failure.js';
import { claimPath } from './layout.js';
import { isGone, parseOwner, STALE_MS, type SignsOfLife, type WriterIdentity } from './liveness.js';
import { withFile } from './regularFile.js';

export interface RunClaimOptions {
  /** The chat's folder, which must exist. */
  readonly folder: string;
  readonly self: WriterIdentity;
  readonly signs: SignsOfLife;
  readonly clock: Pick<Clock, 'now'>;
  /** Called with disk failures. */
  readonly report: (error: Error) => void;
}

interface Claim {
  readonly text: string;
  readonly mtimeMs: number;
}

/**
 * The claim to answer in a chat. It is a file that is created exclusively, so that only one of two windows that send
 * at the same instant runs. It names its window, and is void when that window is dead. A window that finds a void
 * claim first moves it aside, and checks that it moved the file it had read: another window may have been faster.
 */
export class RunClaim {
  readonly #options: RunClaimOptions;
  readonly #path: string;
  readonly #text: string;

  constructor(options: RunClaimOptions) {
    this.#options = options;
    this.#path = claimPath(options.folder);
    const { writerId, pid, host } = options.self;
    this.#text = JSON.stringify({ pid, host, writerId });
  }

  /**
   * Whether this window may run now. Never rejects: a disk that takes no claim takes no lines of other windows
   * either, and the chat goes on in memory. Reports the failure.
   */
  async take(): Promise<boolean> {
    try {
      return (await this.#create()) || ((await this.#clearVoid()) && (await this.#create()));
    } catch (thrown) {
      this.#options.report(storageError(STORAGE_WORK.claim, thrown));
      return true;
    }
  }

  /** Gives the claim back. Does nothing when another window holds it; reports a failure. */
  async release(): Promise<void> {
    await reported(STORAGE_WORK.unclaim, this.#release(), this.#options.report);
  }

  async #release(): Promise<void> {
    if ((await readClaim(this.#path))?.text === this.#text) {
      await rm(this.#path, { force: true });
    }
  }

  /** A window that reads a half-written claim finds no name in it. It then respects the claim until that is stale. */
  async #create(): Promise<boolean> {
    const now = new Date(this.#options.clock.now());
    try {
      const file = await open(this.#path, 'wx');
      try {
        await file.writeFile(this.#text);
        await file.utimes(now, now);
      } finally {
        await file.close();
      }
      return true;
    } catch (thrown) {
      if (systemCode(thrown) === 'EEXIST') {
        return (await readClaim(this.#path))?.text === this.#text;
      }
      throw thrown;
    }
  }

  /** Removes the claim of a dead window. Resolves to whether the claim is free now. */
  async #clearVoid(): Promise<boolean> {
    const found = await readClaim(this.#path);
    if (found === null) {
      return true;
    }
    if (!(await this.#isVoid(found))) {
      return false;
    }
    const aside = `${this.#path}.${this.#options.self.writerId}`;
    const isMoved = await orIfMissing(
      rename(this.#path, aside).then(() => true),
      false,
    );
    if (!isMoved) {
      return true;
    }
    const isSame = (await readClaim(aside))?.text === found.text;
    if (!isSame) {
      // Another window has already cleared and taken the claim: put it back.
      await link(aside, this.#path);
    }
    await rm(aside, { force: true });
    return isSame;
  }

  /** A new claim has no open run yet, and so no sign of life: the claim itself counts as one until it is stale. */
  async #isVoid({ text, mtimeMs }: Claim): Promise<boolean> {
    const { folder, self, signs, clock } = this.#options;
    const owner = parseOwner(text);
    if (owner !== null && isGone(owner, self)) {
      return true;
    }
    const writerId = writerOf(text);
    const isDead = writerId === null || (await signs.writerState(folder, writerId)) === 'dead';
    return isDead && Math.abs(clock.now() - mtimeMs) >= STALE_MS;
  }
}

/** Null when there is no claim. Throws the errors of `withFile`. */
function readClaim(path: string): Promise<Claim | null> {
  const reading = withFile(path, async (file) => ({
    text: (await file.bytes(0, file.size)).toString('utf8'),
    mtimeMs: file.mtimeMs,
  }));
  return orIfMissing(reading, null);
}

/** Null when the text names no writer. */
function writerOf(text: string): string | null {
  return /"writerId":"([0-9a-z-]{1,64})"\}$/.exec(text)?.[1] ?? null;
}
