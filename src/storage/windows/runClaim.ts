import { open, rename, rm } from 'node:fs/promises';
import { STORAGE_WORK } from '../../engine/failures/storage.js';
import type { Clock } from '../../engine/ports.js';
import { reported, storageError, systemCode, orIfMissing } from '../files/failure.js';
import { claimPath, type ClaimKind } from '../files/layout.js';
import { hasProcessEnded, parseOwner, staleAfter, type HeartbeatOptions, type SignsOfLife } from './liveness.js';
import { withFile } from '../files/regularFile.js';

/** The chat's folder must exist. `report` is called with disk failures. */
export interface RunClaimOptions extends Pick<HeartbeatOptions, 'folder' | 'self' | 'report'> {
  readonly kind: ClaimKind;
  readonly signs: SignsOfLife;
  readonly clock: Pick<Clock, 'now'>;
}

interface Claim {
  readonly text: string;
  readonly mtimeMs: number;
}

/**
 * A VS Code window's claim to reply in a chat, or to write its summary. The claim is a file that only one window can
 * create. So if two windows send at the same time, only one of them runs. The file names its window. If that window is
 * dead, the claim is void. To replace a void claim, a window first takes the claim `<claim>.next` in the same way, and
 * then renames it. So only one window at a time replaces a claim, and the claim always exists.
 */
export class RunClaim {
  readonly #options: RunClaimOptions;
  readonly #path: string;
  readonly #text: string;

  constructor(options: RunClaimOptions) {
    this.#options = options;
    this.#path = claimPath(options.folder, options.kind);
    const { writerId, pid, host } = options.self;
    this.#text = JSON.stringify({ pid, host, writerId });
  }

  /**
   * Returns whether this VS Code window may run now. After a disk failure, reports it and returns true: other windows
   * cannot write to that disk either, and the chat continues in memory. Never rejects.
   */
  async take(): Promise<boolean> {
    try {
      return await this.#take(this.#path);
    } catch (thrown) {
      this.#options.report(storageError(STORAGE_WORK.claim, thrown));
      return true;
    }
  }

  /** Releases the claim, unless another window has it. Reports a failure. */
  async release(): Promise<void> {
    await reported(STORAGE_WORK.unclaim, this.#release(this.#path), this.#options.report);
  }

  async #take(path: string): Promise<boolean> {
    if (await this.#create(path)) {
      return true;
    }
    const found = await readClaim(path);
    if (found === null) {
      // The other window has just released the claim.
      return this.#create(path);
    }
    const next = `${path}.next`;
    if (!(await this.#isVoid(found)) || !(await this.#take(next))) {
      return false;
    }
    try {
      const same = await readClaim(path);
      // Another window may have replaced the claim before this window took `next`.
      const isOurs = same !== null && same.text === found.text && same.mtimeMs === found.mtimeMs;
      if (isOurs) {
        await rename(next, path);
      }
      return isOurs;
    } finally {
      await this.#release(next);
    }
  }

  async #release(path: string): Promise<void> {
    if ((await readClaim(path))?.text === this.#text) {
      await rm(path, { force: true });
    }
  }

  /** Creates a claim. For a window that reads the claim before its text is written, the claim is valid until stale. */
  async #create(path: string): Promise<boolean> {
    const now = new Date(this.#options.clock.now());
    try {
      const file = await open(path, 'wx');
      try {
        await file.writeFile(this.#text);
        await file.utimes(now, now);
      } finally {
        await file.close();
      }
      return true;
    } catch (thrown) {
      if (systemCode(thrown) === 'EEXIST') {
        return (await readClaim(path))?.text === this.#text;
      }
      throw thrown;
    }
  }

  /** Whether the owner of a claim is dead: its process ended, or neither its `.alive` file nor the claim is fresh. */
  async #isVoid({ text, mtimeMs }: Claim): Promise<boolean> {
    const { folder, self, signs, clock } = this.#options;
    const owner = parseOwner(text);
    if (owner !== null && hasProcessEnded(owner, self)) {
      return true;
    }
    const writerId = writerOf(text);
    const isDead = writerId === null || (await signs.writerState(folder, writerId)) === 'dead';
    return isDead && Math.abs(clock.now() - mtimeMs) >= staleAfter(owner, self);
  }
}

/** Returns the claim in a file, or null when the file does not exist. Throws the errors of `withFile`. */
function readClaim(path: string): Promise<Claim | null> {
  const reading = withFile(path, async (file) => ({
    text: (await file.bytes(0, file.size)).toString('utf8'),
    mtimeMs: file.mtimeMs,
  }));
  return orIfMissing(reading, null);
}

/** Returns the writer that a claim names, or null. */
function writerOf(text: string): string | null {
  return /"writerId":"([0-9a-z-]{1,64})"\}$/.exec(text)?.[1] ?? null;
}
