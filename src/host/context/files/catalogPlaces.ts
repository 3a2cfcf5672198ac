import { basename } from 'node:path/posix';
import { CATALOG_FORMATS, type CatalogFormatRow } from './catalogFormats.js';

/* Finds the format of a file by its path. */

export type CatalogFormat = keyof typeof CATALOG_FORMATS;

interface FormatPlaces extends CatalogFormatRow {
  readonly name: CatalogFormat;
  /** Matches the paths of single files. The group is the subfolder of the workspace. */
  readonly file: RegExp;
  /** Matches the paths in the folders. The groups are the subfolder of the workspace, and the path in the folder. */
  readonly inFolder: RegExp;
}

/** A subfolder of the workspace. Except `.github`, no name in it begins with a dot: such folders belong to programs. */
const SUBFOLDER = '((?:(?!\\.(?!github/))[^/]+/)+?)?';

const FORMATS: readonly FormatPlaces[] = Object.entries(CATALOG_FORMATS as Readonly<Record<CatalogFormat, CatalogFormatRow>>).map(
  ([name, row]) => ({
    ...row,
    name: name as CatalogFormat,
    file: new RegExp(`^${row.isNested ? SUBFOLDER : '()'}${anyOf(row.files)}$`),
    inFolder: new RegExp(`^${row.isNested ? SUBFOLDER : '()'}${anyOf(row.folders)}/(.+)$`),
  }),
);

function anyOf(paths: readonly string[]): string {
  // `(?!)` matches nothing.
  return paths.length === 0 ? '(?!)' : `(?:${paths.map((path) => path.replaceAll('.', '\\.')).join('|')})`;
}

const FOLDERS = FORMATS.flatMap(({ folders }) => folders);

/** The folders with catalog files, without their subfolders, and the paths of single catalog files. */
export const CATALOG_FOLDERS: readonly string[] = FOLDERS.filter((folder) => !FOLDERS.some((other) => folder.startsWith(`${other}/`)));
export const CATALOG_FILES: readonly string[] = FORMATS.flatMap(({ files }) => files);

/** The names of catalog files and of the folders with catalog files. */
export const CATALOG_NAMES: ReadonlySet<string> = new Set([
  ...CATALOG_FILES.map((path) => basename(path)),
  ...FOLDERS.flatMap((folder) => folder.split('/')),
]);

const NESTED = FORMATS.filter(({ isNested }) => isNested);

/** Patterns for the search for catalog files in subfolders. */
export const NESTED_PATTERNS: readonly string[] = NESTED.flatMap(({ files, folders, endings }) => [
  ...files,
  ...folders.flatMap((folder) => endings.map((ending) => `${folder}/**/*${ending}`)),
]);

/** A format, and the subfolder of the workspace with a file of the format: '' or a path with a slash at its end. */
export interface FormatPlace {
  readonly format: CatalogFormat;
  readonly subfolder: string;
}

/** Returns the format of a file by its path. Null for a file that does not belong to the catalog. */
export function formatPlace(path: string): FormatPlace | null {
  for (const format of FORMATS) {
    const found = format.file.exec(path) ?? (isOfFolder(path, format) ? format.inFolder.exec(path) : null);
    if (found !== null) {
      return { format: format.name, subfolder: found[1] ?? '' };
    }
  }
  return null;
}

function isOfFolder(path: string, { inFolder, endings, except }: FormatPlaces): boolean {
  const below = inFolder.exec(path)?.[2] ?? null;
  return below !== null && endings.some((ending) => below.endsWith(ending)) && except?.test(below) !== true;
}

export function catalogFormat(path: string): CatalogFormat | null {
  return formatPlace(path)?.format ?? null;
}

export function isCatalogPath(path: string): boolean {
  return formatPlace(path) !== null;
}

/** Returns what the file at a path contains. Null for a file that does not belong to the catalog. */
export function catalogType(path: string): CatalogFormatRow['type'] | null {
  const format = catalogFormat(path);
  return format === null ? null : CATALOG_FORMATS[format].type;
}

/** Whether an absolute path may be that of a catalog file in a subfolder. */
export function mayBeNested(absolutePath: string): boolean {
  const place = absolutePath.replaceAll('\\', '/');
  return NESTED.some((format) => {
    const ends = [...format.files, ...format.folders];
    return ends.some(
      (end) => place.endsWith(`/${end}`) || (place.includes(`/${end}/`) && format.endings.some((ending) => place.endsWith(ending))),
    );
  });
}

/** The names of rules in a folder of rules, when a text file there has another name. Null for all other files. */
export function unreadRule(path: string): { readonly folder: string; readonly endings: readonly string[] } | null {
  if (!/\.(?:mdc?|mdx|txt)$/.test(path) || isCatalogPath(path)) {
    return null;
  }
  for (const { type, folders, endings, inFolder, except } of FORMATS) {
    const below = inFolder.exec(path)?.[2] ?? null;
    if (below !== null && type !== 'skill' && except?.test(below) !== true) {
      return { folder: folders.find((folder) => path.startsWith(`${folder}/`)) ?? '', endings };
    }
  }
  return null;
}

/** A file at a place of rules, references, skills or agents. */
export interface CatalogPath {
  /** Workspace path. With several workspace folders, starts with the name of the folder. */
  readonly source: string;
  /** The path that decides the format: the path in the workspace folder, or where files of this format usually are. */
  readonly path: string;
  /** The prefix of paths in the file's workspace folder. '' for a file of the user. */
  readonly prefix: string;
  /** Absolute path with resolved links. Links to the same file have the same value. */
  readonly file: string;
}
