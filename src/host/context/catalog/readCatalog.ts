import type { CatalogPath } from '../files/catalogPlaces.js';
import type { FileRead } from '../../../engine/context/fileContents.js';
import { isReplaced, type FileProblem } from '../../../engine/record/fileProblem.js';
import { toLoupeError, type LoupeError } from '../../../engine/errors.js';
import { itemKey } from '../../../engine/record/item.js';
import { itemOf, remarksOn, type Catalog, type CatalogItem } from '../../../engine/context/catalogItem.js';
import { isUserPath } from '../files/userFiles.js';
import { computedOnce } from './computedOnce.js';
import { pauses } from './pauses.js';
import { hasMentions, ImportedFiles, withImports, type Importing } from './reading/imports.js';
import { withoutCopies, type FoundItem } from './withoutCopies.js';
import { catalogItem, importStyle, unreadableItem } from './reading/ruleFormats.js';

export interface CatalogReading {
  /** Reads the file at a workspace path. Never rejects. */
  readonly read: (path: string) => Promise<FileRead>;
  /** Whether the settings turn off a rule at this path. */
  readonly isOff: (path: CatalogPath) => boolean;
  readonly logError: (error: LoupeError) => void;
}

/**
 * Reads the catalog. A file that cannot be read becomes an item with a problem. Unchanged items are the same objects as
 * in `before`, so that the ranker indexes only changed items. Never rejects.
 */
export async function readCatalog(
  paths: readonly CatalogPath[],
  { read, isOff, logError }: CatalogReading,
  before: Catalog,
): Promise<Catalog> {
  const reading = { read: readOnce(read), isOff, logError };
  const pause = pauses();
  // Reads the files at the same time, but parses them one by one, because parsing blocks other work.
  await Promise.allSettled(paths.map(({ source }) => reading.read(source)));
  const found: FoundItem[] = [];
  for (const path of paths) {
    const item = await readOrSkip(path, reading);
    found.push({ item: isOff(path) ? turnedOff(item) : item, path });
    await pause();
  }
  const catalog = new Map<string, CatalogItem>();
  const items = await addImports(withoutCopies(found), { ...reading, pause });
  const owners = ownersOfNames(items);
  for (const item of items) {
    const owner = owners.get(itemKey(itemOf(item))) ?? item;
    const named = item === owner ? item : namedByPath(item, owner);
    const namedKey = itemKey(itemOf(named));
    catalog.set(namedKey, unchanged(named, before.get(namedKey)) ?? named);
    await pause();
  }
  return catalog;
}

const turnedOff = computedOnce((item: CatalogItem): CatalogItem => ({ ...item, offBy: 'formats' }));

/** Returns a function that reads each file once. */
function readOnce(read: CatalogReading['read']): CatalogReading['read'] {
  const reads = new Map<string, Promise<FileRead>>();
  return (path) => {
    const file = reads.get(path) ?? read(path);
    reads.set(path, file);
    return file;
  };
}

/**
 * Returns the item that keeps its name, by key. Of several skills with a name, this is one in a folder of this name, as
 * other programs require, and rather one of the workspace. So another skill does not change the skill of a chat.
 */
function ownersOfNames(items: readonly CatalogItem[]): ReadonlyMap<string, CatalogItem> {
  const owners = new Map<string, CatalogItem>();
  for (const item of items) {
    const key = itemKey(itemOf(item));
    const owner = owners.get(key);
    if (owner === undefined || (item.type === 'skill' && rankOf(item) < rankOf(owner))) {
      owners.set(key, item);
    }
  }
  return owners;
}

function rankOf({ name, source }: CatalogItem): number {
  return (source.split('/').at(-2) === name ? 0 : 2) + (isUserPath(source) ? 1 : 0);
}

/** Returns a second item with the same name under its path, because paths are unique. */
function namedByPath(item: CatalogItem, { source }: CatalogItem): CatalogItem {
  if (isReplaced(item.problem)) {
    return { ...item, name: item.source };
  }
  const remarks = remarksOn(item.source, [`${item.source} has the same name as ${source}. Loupe uses its path as the name.`]);
  return { ...item, name: item.source, remarks: [...item.remarks, ...remarks] };
}

/** Returns `before` for an unchanged item, otherwise null. JSON lacks functions, but these depend on other members. */
function unchanged(item: CatalogItem, before: CatalogItem | undefined): CatalogItem | null {
  if (before === undefined || item === before) {
    return before ?? null;
  }
  // Compares the long texts without copying them into JSON.
  const json = (each: CatalogItem): string => JSON.stringify({ ...each, text: null });
  return item.text === before.text && json(item) === json(before) ? before : null;
}

async function readOrSkip(path: CatalogPath, { read, logError }: Omit<CatalogReading, 'isOff'>): Promise<CatalogItem> {
  try {
    return await readItem(path, read);
  } catch (thrown) {
    return unreadableItem(path, readingFailed(path.source, thrown, logError));
  }
}

/** Logs an internal failure. Returns the failure as the problem of the file `source`. */
export function readingFailed(
  source: string,
  thrown: unknown,
  logError: CatalogReading['logError'],
): FileProblem & { readonly code: 'failed' } {
  const error = toLoupeError(thrown);
  logError(error);
  return { code: 'failed', text: `${source} cannot be read: ${error.message}` };
}

/** The items of files, by the result of reading the file. So Loupe parses an unchanged file once. */
const PARSED = new WeakMap<FileRead, CatalogItem>();

async function readItem(path: CatalogPath, read: (path: string) => Promise<FileRead>): Promise<CatalogItem> {
  const { source } = path;
  const found = await read(source);
  if (!found.ok) {
    return unreadableItem(path, found.problem);
  }
  const known = PARSED.get(found);
  const item = known?.source === source ? known : catalogItem(path, found.content);
  PARSED.set(found, item);
  return item;
}

/**
 * Adds imported files to the rules. A request contains a file once that is a rule with the mode `always`, is imported
 * by such a rule, or is a rule for a folder and imported by a rule for the same folder or one below.
 */
async function addImports(
  all: readonly FoundItem[],
  { read, logError, pause }: Omit<CatalogReading, 'isOff'> & Pick<Importing, 'pause'>,
): Promise<readonly CatalogItem[]> {
  const isAlways = ({ item }: FoundItem): boolean => item.include === 'always' && item.offBy === null && item.text !== null;
  const always = all.filter(isAlways);
  const common = new ImportedFiles(
    always.map(({ item }) => item),
    null,
  );
  const inFolders = all.map(({ item }) => [item, item.offBy === null && item.text !== null ? folderOf(item) : null] as const);
  const folderRules = new Map(inFolders.flatMap(([item, folder]) => (folder === null ? [] : [[item, folder] as const])));
  const done = new Map<CatalogItem, CatalogItem>();
  for (const found of [...always, ...all.filter((each) => !isAlways(each))]) {
    const { item, path } = found;
    const style = item.text === null ? null : importStyle(path.path);
    if (style === null || !hasMentions(item, style)) {
      continue;
    }
    await pause();
    const imported = isAlways(found) ? common : new ImportedFiles([item, ...rulesAround(item, folderRules)], common);
    try {
      done.set(item, await withImports(item, { style, prefix: path.prefix, read, imported, pause }));
    } catch (thrown) {
      const { text } = readingFailed(`A file that ${item.source} imports`, thrown, logError);
      done.set(item, { ...item, remarks: [...item.remarks, ...remarksOn(item.source, [text])] });
    }
  }
  return all.map(({ item }) => done.get(item) ?? item);
}

/** Returns the rules that a request contains whenever it contains `item`, because they are for a folder around it. */
function rulesAround(item: CatalogItem, folderRules: ReadonlyMap<CatalogItem, string>): readonly CatalogItem[] {
  const folder = folderRules.get(item);
  return folder === undefined ? [] : [...folderRules].flatMap(([other, around]) => (folder.startsWith(around) ? [other] : []));
}

/** Returns the folder whose files a rule is for. Null for a rule for other files. */
function folderOf({ applies }: CatalogItem): string | null {
  const [pattern = '', ...others] = applies?.patterns ?? [];
  return others.length === 0 ? (/^([^*?[{]+\/)\*\*$/.exec(pattern)?.[1] ?? null) : null;
}
