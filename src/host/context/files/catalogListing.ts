import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Remark } from '../../../engine/context/catalogItem.js';
import { CATALOG_FILES, CATALOG_FOLDERS, isCatalogPath } from './catalogPlaces.js';
import type { CatalogPath } from './catalogPlaces.js';
import { errorCode, systemRefusal } from './refusal.js';
import { workspacePath, type Root } from './roots.js';

/** Maximum number of catalog files in a workspace. Loupe can read this many files after each change. */
export const MOST_CATALOG_FILES = 1_000;

/** The catalog files of a workspace, sorted by folder depth, then by path. */
export interface CatalogListing {
  /** A sentence for the user for each folder that cannot be listed. */
  readonly remarks: readonly Remark[];
  readonly paths: readonly CatalogPath[];
  /** Files beyond `MOST_CATALOG_FILES`, which Loupe does not read. */
  readonly skipped: readonly CatalogPath[];
}

interface ListedFiles {
  readonly paths: readonly string[];
  readonly remarks: readonly Remark[];
}

/** Lists the catalog files of the workspace folders, and the files `nested` (absolute paths). Never rejects. */
export async function listCatalog(roots: readonly Root[], nested: readonly string[]): Promise<CatalogListing> {
  const remarks: Remark[] = [];
  const found = await Promise.all(
    roots.map(async (root) => {
      const [files, inFolders] = await Promise.all([
        Promise.all(CATALOG_FILES.map((path) => isFile(join(root.folder, path)).then((isThere) => (isThere ? [path] : [])))),
        Promise.all(CATALOG_FOLDERS.map((path) => filesIn(root, path))),
      ]);
      const { paths, remarks: unread } = all(inFolders);
      remarks.push(...unread);
      return Promise.all([...files.flat(), ...paths].map((path) => catalogPath(root, path)));
    }),
  );
  const known = new Set(found.flat().map(({ source }) => source));
  const others = await Promise.all(nested.map((place) => nestedPath(roots, place)));
  const more = others.filter((path) => path !== null).filter(({ source }) => !known.has(source));
  const sorted = [...found.flat(), ...more].sort(inOrder);
  return { paths: sorted.slice(0, MOST_CATALOG_FILES), skipped: sorted.slice(MOST_CATALOG_FILES), remarks };
}

/** Sorts by depth of the folder. With too many files, Loupe skips the files of the deepest folders. */
function inOrder(a: CatalogPath, b: CatalogPath): number {
  const deeper = a.source.split('/').length - b.source.split('/').length;
  return deeper === 0 ? (a.source < b.source ? -1 : 1) : deeper;
}

/** Returns the catalog path of a file. Null for a file outside the workspace or the catalog's places. */
async function nestedPath(roots: readonly Root[], place: string): Promise<CatalogPath | null> {
  const source = workspacePath(roots, place);
  const root = source === null ? undefined : roots.find(({ prefix }) => source.startsWith(prefix));
  const path = source?.slice(root?.prefix.length ?? 0) ?? '';
  return root === undefined || !isCatalogPath(path) ? null : catalogPath(root, path);
}

async function catalogPath({ folder, prefix }: Root, path: string): Promise<CatalogPath> {
  const place = join(folder, path);
  // A broken link stays in the list. Reading the link later reports the problem.
  const file = await realpath(place).catch(() => place);
  return { path, source: prefix + path, file };
}

async function isFile(place: string): Promise<boolean> {
  try {
    return (await stat(place)).isFile();
  } catch (error) {
    // Most of these files do not exist. Any other failure counts as a file: reading it later reports the failure.
    return !isMissing(error);
  }
}

/** Returns the catalog files in a folder and its subfolders, and remarks on folders that cannot be listed. */
async function filesIn(root: Root, folder: string): Promise<ListedFiles> {
  let entries: readonly Dirent[];
  try {
    entries = await readdir(join(root.folder, folder), { withFileTypes: true });
  } catch (error) {
    // The folder does not exist, or is a file, such as `.clinerules`.
    return isMissing(error) ? { paths: [], remarks: [] } : { paths: [], remarks: [unlisted(root.prefix + folder, error)] };
  }
  const below = entries.filter((entry) => entry.isDirectory()).map(({ name }) => filesIn(root, `${folder}/${name}`));
  // Includes links, pipes and other special files. Reading them later gives a refusal with a reason.
  const here = entries.filter((entry) => !entry.isDirectory()).map(({ name }) => `${folder}/${name}`);
  return all([{ paths: here.filter(isCatalogPath), remarks: [] }, ...(await Promise.all(below))]);
}

function unlisted(path: string, error: unknown): Remark {
  return { text: systemRefusal(path, error).reason, path, line: null };
}

function all(found: readonly ListedFiles[]): ListedFiles {
  return { paths: found.flatMap(({ paths }) => paths), remarks: found.flatMap(({ remarks }) => remarks) };
}

function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(errorCode(error));
}
