import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/* Real file systems of their own, which only root may mount, on Linux. */

const MIB = 2 ** 20;
/** The least in which ext4 has a journal. */
const IMAGE_BYTES = 16 * MIB;
/** A file system at rest is copied at the first try; this many mean that something still writes. */
const MOST_COPIES = 20;

function command(name: string, ...args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(name, args, { encoding: 'utf8' });
  if (status !== 0) {
    throw new Error(`${name} ${args.join(' ')}: ${error?.message ?? stderr}`);
  }
}

/** Mounts something for a moment. @returns why that cannot be done here; null when it can. */
function whyNot(mount: (folder: string) => { unmount(): void }): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'loupe-mount-'));
  try {
    mount(folder).unmount();
    return null;
  } catch (thrown) {
    return String(thrown);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function unmount(folder: string): void {
  // Lazily: what a test has left open must not keep the next one from running.
  command('umount', '--lazy', folder);
}

/** A file system in memory, mounted over a folder. */
export class SmallDisk {
  readonly folder: string;
  readonly #filler: string;

  static whyNot(): string | null {
    return whyNot((folder) => new SmallDisk(folder, MIB));
  }

  constructor(folder: string, bytes: number) {
    this.folder = folder;
    this.#filler = join(folder, 'filler');
    command('mount', '-t', 'tmpfs', '-o', `size=${String(bytes)},mode=755`, 'loupe', folder);
  }

  /** Takes all room that is left but `bytes`, in whole pages. */
  fill(bytes: number): void {
    const page = Buffer.alloc(4_096);
    const blocks: Buffer[] = [];
    try {
      for (;;) {
        writeFileSync(this.#filler, page, { flag: 'a' });
        blocks.push(page);
      }
    } catch (thrown) {
      if (!String(thrown).includes('ENOSPC')) {
        throw thrown;
      }
    }
    truncateSync(this.#filler, Math.max(0, blocks.length * page.length - bytes));
  }

  makeRoom(): void {
    rmSync(this.#filler);
  }

  /** Throws while a file is open for writing: then the system refuses. */
  makeReadOnly(): void {
    command('mount', '-o', 'remount,ro', this.folder);
  }

  makeWritable(): void {
    command('mount', '-o', 'remount,rw', this.folder);
  }

  unmount(): void {
    unmount(this.folder);
  }
}

/**
 * A disk with ext4 on it, whose current can be cut: what its image file holds at that moment is what got to the disk,
 * and everything else, such as the page cache of its file system, is gone.
 */
export class PowerDisk {
  readonly folder: string;
  readonly #work: string;
  readonly #image: string;

  static whyNot(): string | null {
    return whyNot((folder) => new PowerDisk(folder));
  }

  /** @param folder - where it is mounted */
  constructor(folder: string) {
    this.folder = folder;
    this.#work = mkdtempSync(join(tmpdir(), 'loupe-disk-'));
    this.#image = join(this.#work, 'image');
    writeFileSync(this.#image, '');
    truncateSync(this.#image, IMAGE_BYTES);
    command('mkfs.ext4', '-q', '-F', this.#image);
    // By itself the file system writes nothing back for the time of a test, nor does it help those who replace a file
    // before its content is on the disk.
    command('mount', '-o', 'loop,commit=300,noauto_da_alloc', this.#image, folder);
  }

  /**
   * The disk as it would come back after a power cut now, mounted in a folder of its own for `look`. Who writes has
   * to rest meanwhile.
   */
  async afterPowerCut<T>(look: (folder: string) => Promise<T>): Promise<T> {
    const copy = join(this.#work, 'copy');
    const folder = join(this.#work, 'after');
    this.#copyAtRest(copy);
    mkdirSync(folder);
    command('mount', '-o', 'loop', copy, folder);
    try {
      return await look(folder);
    } finally {
      command('umount', folder);
      rmSync(folder, { recursive: true });
    }
  }

  unmount(): void {
    unmount(this.folder);
    rmSync(this.#work, { recursive: true });
  }

  /** A copy takes its time: one that still is what it was copied from was made while nothing was written. */
  #copyAtRest(copy: string): void {
    for (let tries = 0; tries < MOST_COPIES; tries += 1) {
      copyFileSync(this.#image, copy);
      if (readFileSync(this.#image).equals(readFileSync(copy))) {
        return;
      }
    }
    throw new Error('The disk never comes to rest.');
  }
}
