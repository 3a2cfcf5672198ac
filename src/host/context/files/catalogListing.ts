import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Remark } from '../../../engine/context/catalogItem.js';
import { CATALOG_FILES, CATALOG_FOLDERS, isCatalogPath } from './catalogPlaces.js';
import type { CatalogPath } from './catalogPlaces.js';
import { errorCode, systemRefusal } from './refusal.js';
import { workspacePath, type Root } from './roots.js';

/** Most files of rules, references, skills and agents in a workspace: more than people read, few enough to read them all at each change. */
export const MOST_CATALOG_FILES = 1_000;

/** Files that may be rules or references: those of outer folders first, then by path. */
export interface CatalogListing {
  /** The folders that cannot be listed, for the user. */
  readonly remarks: readonly Remark[];
  readonly paths: readonly CatalogPath[];
  /** What there is beyond the most. */
  readonly leftOut: readonly CatalogPath[];
}

/** What is in folders, by the paths within the workspace folder. */
interface Found {
  readonly paths: readonly string[];
  readonly remarks: readonly Remark[];
}

/** Lists those of the workspace's folders, and of `nested`, places on disk. Never rejects. */
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
  return { paths: sorted.slice(0, MOST_CATALOG_FILES), leftOut: sorted.slice(MOST_CATALOG_FILES), remarks };
}

/** Of too many files, the rules of the whole workspace are read before those of a folder. */
function inOrder(a: CatalogPath, b: CatalogPath): number {
  const deeper = a.source.split('/').length - b.source.split('/').length;
  return deeper === 0 ? (a.source < b.source ? -1 : 1) : deeper;
}

/** Null for a place that is in no folder of the workspace, or holds no rule. */
async function nestedPath(roots: readonly Root[], place: string): Promise<CatalogPath | null> {
  const source = workspacePath(roots, place);
  const root = source === null ? undefined : roots.find(({ prefix }) => source.startsWith(prefix));
  const path = source?.slice(root?.prefix.length ?? 0) ?? '';
  return root === undefined || !isCatalogPath(path) ? null : catalogPath(root, path);
}

async function catalogPath({ folder, prefix }: Root, path: string): Promise<CatalogPath> {
  const place = join(folder, path);
  // A link that leads nowhere is reported as unreadable.
  const file = await realpath(place).catch(() => place);
  return { path, source: prefix + path, file };
}

async function isFile(place: string): Promise<boolean> {
  try {
    return (await stat(place)).isFile();
  } catch (error) {
    // Most workspaces have few of these files. Any other failure shows when the file is read.
    return !isMissing(error);
  }
}

/** The rule files below a folder, by their paths within the workspace folder. A folder below it that cannot be listed leaves the others. */
async function filesIn(root: Root, folder: string): Promise<Found> {
  let entries: readonly Dirent[];
  try {
    entries = await readdir(join(root.folder, folder), { withFileTypes: true });
  } catch (error) {
    // It is not there, or it is a file, as `.clinerules` may be.
    return isMissing(error) ? { paths: [], remarks: [] } : { paths: [], remarks: [unlisted(root.prefix + folder, error)] };
  }
  const below = entries.filter((entry) => entry.isDirectory()).map(({ name }) => filesIn(root, `${folder}/${name}`));
  // What is no file is refused with the reason when it is read.
  const here = entries.filter((entry) => !entry.isDirectory()).map(({ name }) => `${folder}/${name}`);
  return all([{ paths: here.filter(isCatalogPath), remarks: [] }, ...(await Promise.all(below))]);
}

function unlisted(path: string, error: unknown): Remark {
  return { text: systemRefusal(path, error).reason, path, line: null };
}

function all(found: readonly Found[]): Found {
  return { paths: found.flatMap(({ paths }) => paths), remarks: found.flatMap(({ remarks }) => remarks) };
}

function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(errorCode(error));
}
