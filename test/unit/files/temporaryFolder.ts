import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A folder of a test's own, real and deleted with `remove`. */
export class TemporaryFolder {
  readonly path = realpathSync(mkdtempSync(join(tmpdir(), 'loupe-files-')));

  /** The place of `name` in the folder, whose parent folders are made. */
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
    rmSync(this.path, { recursive: true, force: true });
  }
}
