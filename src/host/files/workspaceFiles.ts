import { isAbsolute } from 'node:path';
import type { FileRead, FileReader } from '../../engine/context/fileContext.js';
import { normalizePath } from '../../engine/context/paths.js';
import { LoupeError } from '../../engine/errors.js';
import type { FolderFiles, FolderToList, ListLimits } from './folderListing.js';
import { readTextFile, type OnStage } from './readFile.js';
import { realPlace } from './realPlace.js';
import { refused, type Refusal } from './refusal.js';
import { locate, namedRoots, workspacePath, type Root } from './roots.js';

export type FolderListing = ({ readonly ok: true } & FolderFiles) | Refusal;

/** A normalized path ('' for the folder of a single root) and where it is on disk. */
interface Found {
  readonly ok: true;
  readonly path: string;
  readonly place: string;
}

/**
 * The files of the workspace's folders, by workspace path: relative to the folder, forward slashes; with several
 * folders the folder's name comes first. Only what is inside the folders, links followed, is ever opened.
 */
export class WorkspaceFiles implements FileReader {
  readonly #roots: readonly Root[];
  readonly #folders: readonly string[];
  readonly #onStage: OnStage;

  /** `onStage` is for tests: they swap files between the stages of reading one. */
  constructor(roots: readonly string[], onStage?: OnStage) {
    this.#roots = namedRoots(roots);
    this.#folders = roots;
    this.#onStage = onStage ?? (() => Promise.resolve());
  }

  /** The text of a file, or why not, in words for the user. Never rejects and never waits for a pipe. */
  async read(path: string): Promise<FileRead> {
    const found = this.#find(path);
    if (!found.ok) {
      return found;
    }
    return readTextFile({ ...found, folders: this.#folders, onStage: this.#onStage });
  }

  /**
   * The workspace path of a place on disk, null when it is outside. Goes by the names alone: `read` judges links.
   * The folder of a single root is ''.
   */
  relative(absolutePath: string): string | null {
    return workspacePath(this.#roots, absolutePath);
  }

  /** Where a workspace path is on disk, whether or not anything is there; null when it names no place in here. */
  place(path: string): string | null {
    const found = this.#find(path);
    return found.ok ? found.place : null;
  }

  /**
   * The files under a folder that may be text, for "add folder": without `.git`, `node_modules`, links, binary
   * extensions and what `.gitignore` files exclude (git's global excludes are not known here). `path` '' is the
   * whole workspace. Throws `cancelled` when the signal aborts.
   */
  async listFolder(path: string, limits: ListLimits): Promise<FolderListing> {
    const wanted = path === '' ? this.#roots.map(foundRoot) : [this.#find(path)];
    const folders: FolderToList[] = [];
    for (const found of wanted) {
      const folder = found.ok ? await this.#toList(found) : found;
      if ('ok' in folder) {
        return folder;
      }
      folders.push(folder);
    }
    // Loaded with the first folder: activation does without the rules of .gitignore.
    const { listTextFiles } = await import('./folderListing.js');
    return { ok: true, ...(await listTextFiles(folders, limits, (file) => this.read(file))) };
  }

  async #toList({ path, place }: Found): Promise<FolderToList | Refusal> {
    const name = path === '' ? 'The workspace folder' : path;
    const folder = await realPlace(place, name, this.#folders);
    if (!folder.ok) {
      return folder;
    }
    if (!folder.stats.isDirectory()) {
      return refused(name, { code: 'notAFolder' });
    }
    const slashed = path === '' ? '' : `${path}/`;
    const root = this.#roots.find(({ prefix }) => slashed.startsWith(prefix));
    return { place: folder.place, path: slashed, above: foldersAbove(slashed, root?.prefix ?? '') };
  }

  #find(path: string): Found | Refusal {
    if (isAbsolute(path) || path.startsWith('/') || path.startsWith('\\')) {
      return refused(path, { code: 'absolutePath' });
    }
    try {
      const normalized = normalizePath(path);
      const place = locate(this.#roots, normalized);
      return place === null ? refused(normalized, { code: 'missing' }) : { ok: true, path: normalized, place };
    } catch (error) {
      if (error instanceof LoupeError) {
        return refused(path, { code: 'invalidPath', text: error.message });
      }
      throw error;
    }
  }
}

function foundRoot({ folder, prefix }: Root): Found {
  return { ok: true, path: prefix.slice(0, -1), place: folder };
}

/** The folders above `path`, from the root's prefix on; all of them '' or ending with a slash. */
function foldersAbove(path: string, prefix: string): string[] {
  const ends = Array.from(path.matchAll(/\//g), (slash) => slash.index + 1);
  return ['', ...ends.map((end) => path.slice(0, end))].filter((folder) => folder.startsWith(prefix) && folder !== path);
}
