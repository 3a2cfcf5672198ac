import { isAbsolute } from 'node:path';
import type { FileRead, FileReader } from '../../../engine/context/fileContents.js';
import { normalizePath } from '../../../engine/context/paths.js';
import { LoupeError } from '../../../engine/errors.js';
import { listCatalog, type CatalogListing } from './catalogListing.js';
import type { CatalogLocations } from './catalogLocations.js';
import { isIgnoredPath, listTextFiles, type FolderFiles, type FolderToList, type ListLimits } from './folderListing.js';
import { readTextFile, type EditorEncodings, type OnStage } from './readFile.js';
import { fileVersion, placeOnDisk, realPath, resolvedPlace } from './realPath.js';
import { refused, type Refusal } from './refusal.js';
import { locate, namedRoots, workspacePath, type Root } from './roots.js';

export type FolderListing = ({ readonly ok: true } & FolderFiles) | Refusal;

/** A normalized workspace path ('' for the only workspace folder), with its place on disk. */
interface LocatedPath {
  readonly ok: true;
  readonly path: string;
  readonly place: string;
}

/**
 * Reads the files of the workspace by workspace path: relative to the folder, with forward slashes. With several
 * folders, the path starts with the name of a folder. Opens only files that are inside the folders after resolving
 * links.
 */
export class WorkspaceFiles implements FileReader {
  readonly #roots: readonly Root[];
  readonly #folders: readonly string[];
  readonly #encodings: EditorEncodings;
  readonly #onStage: OnStage;

  /** `onStage` is for tests, which replace files between the stages of reading. */
  constructor(roots: readonly string[], encodings: EditorEncodings, onStage?: OnStage) {
    this.#roots = namedRoots(roots);
    this.#folders = roots;
    this.#encodings = encodings;
    this.#onStage = onStage ?? (() => Promise.resolve());
  }

  /** Returns the text of a file. Otherwise returns the reason. Never rejects, and never blocks on a pipe. */
  async read(path: string): Promise<FileRead> {
    const found = this.#find(path);
    if (!found.ok) {
      return found;
    }
    return readTextFile({ ...found, folders: this.#folders, encodings: this.#encodings, onStage: this.#onStage });
  }

  /** Returns a text that differs after each change of the file at a path. Null for a file that cannot be found. */
  async version(path: string): Promise<string | null> {
    const found = this.#find(path);
    return found.ok ? fileVersion(found.place) : null;
  }

  /** Returns the workspace path of an absolute path. Null outside the workspace. Follows no links; `read` does. */
  relative(absolutePath: string): string | null {
    return workspacePath(this.#roots, absolutePath);
  }

  /** Divides workspace paths by workspace folder. The returned paths are relative to their folder. */
  byFolder(paths: readonly string[]): readonly (Root & { readonly paths: readonly string[] })[] {
    return this.#roots.map((root) => ({
      ...root,
      paths: paths.filter((path) => path.startsWith(root.prefix)).map((path) => path.slice(root.prefix.length)),
    }));
  }

  /** Returns the place on disk of a workspace path, even of a missing file. Null outside the workspace. */
  async diskPath(path: string): Promise<string | null> {
    const found = this.#find(path);
    return found.ok ? placeOnDisk(found.place) : null;
  }

  /** Returns the place on disk of an existing file inside the workspace, after resolving links. Null otherwise. */
  async existing(path: string): Promise<string | null> {
    const found = this.#find(path);
    const real = found.ok ? await realPath(found.place, found.path, this.#folders) : found;
    return 'diskPath' in real && real.stats.isFile() ? real.diskPath : null;
  }

  /** Returns a workspace path with all links resolved, even of a missing file. '' outside the workspace. */
  async resolved(path: string): Promise<string> {
    const found = this.#find(path);
    if (!found.ok) {
      return '';
    }
    const roots = this.#roots.map(async ({ folder, prefix }) => ({ folder: await resolvedPlace(folder), prefix }));
    const place = await resolvedPlace(await placeOnDisk(found.place));
    return workspacePath(await Promise.all(roots), place) ?? '';
  }

  /** Returns the place on disk of a folder in the workspace. '' means the first folder. Null without an open folder. */
  async folder(path: string): Promise<{ readonly ok: true; readonly place: string } | Refusal | null> {
    const [first] = this.#roots;
    if (first === undefined) {
      return null;
    }
    const found = path === '' ? foundRoot(first) : this.#find(path);
    const folder = found.ok ? await this.#toList(found) : found;
    return 'ok' in folder ? folder : { ok: true, place: folder.place };
  }

  /**
   * Lists the text files of a folder, for "add folder". With `path` '', lists the whole workspace. Skips `.git`,
   * `node_modules`, links, binary extensions and files that `.gitignore` excludes, but not git's global excludes.
   * Throws `cancelled` when the signal aborts.
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
    return { ok: true, ...(await listTextFiles(folders, limits, (file) => this.read(file))) };
  }

  /** Whether `listFolder` skips a path because of a folder's name or a `.gitignore` file. The path need not exist. */
  async isIgnoredPath(path: string): Promise<boolean> {
    const root = this.#roots.find(({ prefix }) => path.startsWith(prefix));
    return isIgnoredPath(path, foldersAbove(path, root?.prefix ?? ''), (file) => this.read(file));
  }

  /** Returns the catalog files of the workspace. `nested`: absolute paths of further files. Never rejects. */
  async catalogPaths(nested: readonly string[], locations: CatalogLocations): Promise<CatalogListing> {
    return listCatalog(this.#roots, nested, locations);
  }

  async #toList({ path, place }: LocatedPath): Promise<FolderToList | Refusal> {
    const name = path === '' ? 'The workspace folder' : path;
    const folder = await realPath(place, name, this.#folders);
    if (!folder.ok) {
      return folder;
    }
    if (!folder.stats.isDirectory()) {
      return refused(name, { code: 'notAFolder' });
    }
    const slashed = path === '' ? '' : `${path}/`;
    const root = this.#roots.find(({ prefix }) => slashed.startsWith(prefix));
    return { place: folder.diskPath, path: slashed, above: foldersAbove(slashed, root?.prefix ?? '') };
  }

  #find(path: string): LocatedPath | Refusal {
    if (isAbsolute(path) || path.startsWith('/') || path.startsWith('\\')) {
      return refused(path, { code: 'absolutePath' });
    }
    try {
      const normalized = normalizePath(path);
      const place = locate(this.#roots, normalized);
      return place === null ? this.#inNoFolder(normalized) : { ok: true, path: normalized, place };
    } catch (error) {
      if (error instanceof LoupeError) {
        return refused(path, { code: 'invalidPath', text: error.message });
      }
      throw error;
    }
  }

  #inNoFolder(path: string): Refusal {
    const names = this.#roots.map(({ prefix }) => prefix).join(', ');
    const missing = refused(path, { code: 'missing' });
    return names === ''
      ? missing
      : { ...missing, reason: `${missing.reason} The path must begin with the name of a workspace folder: ${names}` };
  }
}

function foundRoot({ folder, prefix }: Root): LocatedPath {
  return { ok: true, path: prefix.slice(0, -1), place: folder };
}

/** Returns the folders above `path`, from the workspace folder down. Each is '' or ends with a slash. */
function foldersAbove(path: string, prefix: string): string[] {
  const ends = Array.from(path.matchAll(/\//g), (slash) => slash.index + 1);
  return ['', ...ends.map((end) => path.slice(0, end))].filter((folder) => folder.startsWith(prefix) && folder !== path);
}
