import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A real folder of a test. Created at first use, deleted with `remove`. */
export class TemporaryFolder {
  #path: string | null = null;

  get path(): string {
    this.#path ??= realpathSync(mkdtempSync(join(tmpdir(), 'loupe-files-')));
    return this.#path;
  }

  /** The path of `name` in the folder. Creates its parent folders. */
  at(name: string): string {
    const place = join(this.path, name);
    mkdirSync(dirname(place), { recursive: true });
    return place;
  }

  write(name: string, content: string | Uint8Array): string {
    const place = this.at(name);
    writeFileSync(place, content);
    return place;
  }

  remove(): void {
    if (this.#path !== null) {
      rmSync(this.#path, { recursive: true, force: true });
      this.#path = null;
    }
  }
}

export function useTemporaryFolder(): TemporaryFolder {
  const folder = new TemporaryFolder();
  afterEach(() => {
    folder.remove();
  });
  return folder;
}
