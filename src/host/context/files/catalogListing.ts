import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Remark } from '../../../engine/context/catalogItem.js';
import { CATALOG_FILES, CATALOG_FOLDERS, isCatalogPath, unreadRule } from './catalogPlaces.js';
import type { CatalogPath } from './catalogPlaces.js';
import type { CatalogLocations } from './catalogLocations.js';
import { errorCode, refused, systemRefusal } from './refusal.js';
import { isInside, workspacePath, type Root } from './roots.js';

/** Maximum number of catalog files in a workspace. Loupe can read this many files after each change. */
export const MOST_CATALOG_FILES = 1_000;

/** The catalog files of a workspace, sorted by folder depth, then by path. */
export interface CatalogListing {
  /** A sentence for the user for each folder that cannot be listed, or with files that Loupe does not read. */
  readonly remarks: readonly Remark[];
  readonly paths: readonly CatalogPath[];
  /** Files beyond `MOST_CATALOG_FILES`, which Loupe does not read. */
  readonly skipped: readonly CatalogPath[];
}

interface ListedFiles {
  readonly paths: readonly string[];
  /** Text files in folders of rules that do not have the name of a rule. */
  readonly unread: readonly string[];
  readonly remarks: readonly Remark[];
}

const NO_FILES: ListedFiles = { paths: [], unread: [], remarks: [] };

/** Lists the catalog files of the workspace folders, and the files `nested` (absolute paths). Never rejects. */
export async function listCatalog(
  roots: readonly Root[],
  nested: readonly string[],
  { folders, off }: Pick<CatalogLocations, 'folders' | 'off'>,
): Promise<CatalogListing> {
  const remarks: Remark[] = [];
  const realFolders = await Promise.all(roots.map(({ folder }) => realpath(folder).catch(() => folder)));
  const found = await Promise.all(
    roots.map(async (each) => {
      const root = { ...each, realFolders, formatPath: ownPath };
      const [files, inFolders] = await Promise.all([
        Promise.all(CATALOG_FILES.map((path) => isFile(join(root.folder, path)).then((isThere) => (isThere ? [path] : [])))),
        Promise.all(CATALOG_FOLDERS.filter((path) => !off.has(path)).map((path) => filesIn(root, path, []))),
      ]);
      const { paths, unread, remarks: unlistedFolders } = all(inFolders);
      remarks.push(...unlistedFolders, ...unreadRemarks(unread, root.prefix));
      const usual = [...files.flat(), ...paths].map((path) => catalogPath(root, path));
      const further = await Promise.all(folders.map((location) => filesAt(location, root, remarks)));
      return withoutDoubles(await Promise.all([...usual, ...further.flat()]));
    }),
  );
  const known = new Set(found.flat().map(({ source }) => source));
  const others = await Promise.all(nested.map((place) => nestedPath(roots, place)));
  const more = others.filter((path) => path !== null).filter(({ source }) => !known.has(source));
  const sorted = [...found.flat(), ...more].sort(inOrder);
  return { paths: sorted.slice(0, MOST_CATALOG_FILES), skipped: sorted.slice(MOST_CATALOG_FILES), remarks };
}

/** Matches the names that VS Code requires in further folders. */
const VSCODE_FILE = /\.(?:prompt|instructions|agent|chatmode)\.md$/;

/** Returns the files in a further folder of a format. Adds what it cannot list to `remarks`. */
async function filesAt(
  { folder, as }: CatalogLocations['folders'][number],
  root: ListedRoot,
  remarks: Remark[],
): Promise<readonly Promise<CatalogPath>[]> {
  const there = { ...root, formatPath: (path: string) => as + path.slice(folder.length) };
  const listed = await filesIn(there, folder, []);
  remarks.push(...listed.remarks);
  return listed.paths.filter((path) => VSCODE_FILE.test(path)).map((path) => catalogPath(there, path));
}

/** Keeps the first of several entries for a file. */
function withoutDoubles(paths: readonly CatalogPath[]): readonly CatalogPath[] {
  const known = new Map(paths.toReversed().map((path) => [path.source, path]));
  return paths.filter((path) => known.get(path.source) === path);
}

function ownPath(path: string): string {
  return path;
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
  return root === undefined || !isCatalogPath(path) ? null : catalogPath({ ...root, formatPath: ownPath }, path);
}

async function catalogPath({ folder, prefix, formatPath }: Omit<ListedRoot, 'realFolders'>, path: string): Promise<CatalogPath> {
  const place = join(folder, path);
  // A broken link stays in the list. Reading the link later reports the problem.
  const file = await realpath(place).catch(() => place);
  return { path: formatPath(path), source: prefix + path, prefix, file };
}

async function isFile(place: string): Promise<boolean> {
  try {
    return (await stat(place)).isFile();
  } catch (error) {
    // Most of these files do not exist. Any other failure counts as a file: reading it later reports the failure.
    return !isMissing(error);
  }
}

interface ListedRoot extends Root {
  /** The workspace folders, with resolved links. */
  readonly realFolders: readonly string[];
  /** Returns the path that decides the format of a file. */
  readonly formatPath: (path: string) => string;
}

/** Folders whose files belong to programs, not to the workspace. */
const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(['node_modules', '.git']);

/**
 * Returns the catalog files in a folder and its subfolders, and remarks on folders that cannot be listed. Follows links
 * to folders in `realFolders`, except to a folder in `above`: the folders on the way.
 */
export async function filesIn(root: ListedRoot, folder: string, above: readonly string[]): Promise<ListedFiles> {
  let entries: readonly Dirent[];
  let place: string;
  try {
    place = await realpath(join(root.folder, folder));
    entries = await readdir(place, { withFileTypes: true });
  } catch (error) {
    // The folder does not exist, or is a file, such as `.clinerules`.
    return isMissing(error) ? NO_FILES : { ...NO_FILES, remarks: [unlisted(root.prefix + folder, error)] };
  }
  const path = root.prefix + folder;
  if (above.includes(place)) {
    return { ...NO_FILES, remarks: [{ text: `${path} is a link to a folder that contains it.`, path, line: null }] };
  }
  if (above.length > 0 && !root.realFolders.some((real) => isInside(real, place))) {
    return { ...NO_FILES, remarks: [{ text: refused(path, { code: 'leadsOut' }).reason, path, line: null }] };
  }
  const found = entries.map(async (entry): Promise<ListedFiles> => {
    const below = `${folder}/${entry.name}`;
    const isDirectory = entry.isSymbolicLink() ? await leadsToFolder(join(root.folder, below)) : entry.isDirectory();
    if (isDirectory === true) {
      return SKIPPED_FOLDERS.has(entry.name) ? NO_FILES : filesIn(root, below, [...above, place]);
    }
    if (isCatalogPath(root.formatPath(below))) {
      // Includes links, pipes and other special files. Reading them later gives a refusal with a reason.
      return { ...NO_FILES, paths: [below] };
    }
    const remarks = typeof isDirectory === 'boolean' ? [] : [unlisted(root.prefix + below, isDirectory.error)];
    return { remarks, paths: [], unread: unreadRule(root.formatPath(below)) === null ? [] : [below] };
  });
  return all(await Promise.all(found));
}

/** Whether a link leads to a folder. For a broken link, returns the error. */
async function leadsToFolder(place: string): Promise<boolean | { readonly error: unknown }> {
  try {
    return (await stat(place)).isDirectory();
  } catch (error) {
    return { error };
  }
}

/** Returns a sentence for each folder with files that have another name than the rules of the folder. */
function unreadRemarks(unread: readonly string[], prefix: string): readonly Remark[] {
  const found = unread.toSorted().map((path) => ({ path, rule: unreadRule(path) }));
  const folders = new Set(found.map(({ rule }) => rule?.folder ?? ''));
  return [...folders].map((folder) => {
    const paths = found.filter(({ rule }) => rule?.folder === folder);
    const [{ path: first, rule } = { path: '', rule: null }] = paths;
    const names = (rule?.endings ?? []).map((ending) => `*${ending}`).join(' or ');
    const more = paths.length === 1 ? '' : ` and ${String(paths.length - 1)} more in ${prefix}${folder}`;
    return {
      text: `Loupe does not read ${prefix}${first}${more}. Loupe reads files with names such as ${names}.`,
      path: prefix + first,
      line: null,
    };
  });
}

function unlisted(path: string, error: unknown): Remark {
  return { text: systemRefusal(path, error).reason, path, line: null };
}

function all(found: readonly ListedFiles[]): ListedFiles {
  return {
    paths: found.flatMap(({ paths }) => paths),
    unread: found.flatMap(({ unread }) => unread),
    remarks: found.flatMap(({ remarks }) => remarks),
  };
}

function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(errorCode(error));
}
