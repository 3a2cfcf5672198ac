import type { FileRead } from '../../../engine/context/fileContents.js';
import type { WorkspaceFiles } from './workspaceFiles.js';

type VersionedFiles = Pick<WorkspaceFiles, 'read' | 'version'>;

interface KeptFile {
  /** Null for a missing file. */
  readonly version: string | null;
  readonly file: FileRead;
  /** Whether no event of a change has come since the version was checked. */
  isCurrent: boolean;
}

/** Keeps the texts of files, and reads only changed files again. Returns the same object for an unchanged file. */
export class KeptFiles {
  readonly #kept = new Map<string, KeptFile>();
  /** Number of calls of `fileChanged` and `anyChanged`. */
  #changes = 0;

  /** Returns the text of the file at a workspace path, otherwise the reason. Never rejects. */
  async read(path: string, files: VersionedFiles): Promise<FileRead> {
    const changes = this.#changes;
    const known = this.#kept.get(path);
    if (known?.isCurrent === true) {
      return known.file;
    }
    const version = await files.version(path);
    const file = known !== undefined && known.version === version ? known.file : await files.read(path);
    if (file.ok ? version !== null : version === null && file.problem.code === 'missing') {
      this.#kept.set(path, { version, file, isCurrent: changes === this.#changes });
    } else {
      // The reason can end without a change of the file, for example with another encoding in VS Code.
      this.#kept.delete(path);
    }
    return file;
  }

  /** Call this after a change of only this file. */
  fileChanged(path: string): void {
    this.#changes += 1;
    this.#kept.delete(path);
  }

  /** Call this after a change that can affect other files, for example through links. */
  anyChanged(): void {
    this.#changes += 1;
    for (const kept of this.#kept.values()) {
      kept.isCurrent = false;
    }
  }

  /** Drops all other files. */
  keepOnly(paths: ReadonlySet<string>): void {
    for (const path of this.#kept.keys()) {
      if (!paths.has(path)) {
        this.#kept.delete(path);
      }
    }
  }
}
