import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/* Real file systems. Mounting them needs root on Linux. */

const MIB = 2 ** 20;
/** The smallest size with a journal in ext4. */
const IMAGE_BYTES = 16 * MIB;
/** An idle file system is copied at the first attempt. After this many, something still writes. */
const MOST_COPIES = 20;

function command(name: string, ...args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(name, args, { encoding: 'utf8' });
  if (status !== 0) {
    throw new Error(`${name} ${args.join(' ')}: ${error?.message ?? stderr}`);
  }
}

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
  // Lazy, because a file left open by a test must not block the next test.
  command('umount', '--lazy', folder);
}

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

  /** Fills the disk except for `bytes`, in whole pages. */
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

  /** Throws while a file is open for writing. */
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

/** An ext4 disk whose power can fail. Its image file then has what reached the disk. */
export class PowerDisk {
  readonly folder: string;
  readonly #work: string;
  readonly #image: string;

  static whyNot(): string | null {
    return whyNot((folder) => new PowerDisk(folder));
  }

  constructor(folder: string) {
    this.folder = folder;
    this.#work = mkdtempSync(join(tmpdir(), 'loupe-disk-'));
    this.#image = join(this.#work, 'image');
    writeFileSync(this.#image, '');
    truncateSync(this.#image, IMAGE_BYTES);
    command('mkfs.ext4', '-q', '-F', this.#image);
    // Disables automatic writes, and the help for programs that replace a file before its content is on disk.
    command('mount', '-o', 'loop,commit=300,noauto_da_alloc', this.#image, folder);
  }

  /** Mounts the disk in another folder as after a power failure now. Writers must pause meanwhile. */
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

  /** Copies until the copy equals its source: then nothing was written during the copy. */
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
