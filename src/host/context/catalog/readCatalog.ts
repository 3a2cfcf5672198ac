import type { CatalogPath } from '../files/catalogPlaces.js';
import { dirname, join } from 'node:path/posix';
import type { FileRead } from '../../../engine/context/fileContents.js';
import type { FileProblem } from '../../../engine/record/fileProblem.js';
import { toLoupeError, type LoupeError } from '../../../engine/errors.js';
import { itemKey } from '../../../engine/record/item.js';
import { itemOf, remarksOn, type Catalog, type CatalogItem } from '../../../engine/context/catalogItem.js';
import { catalogItem, hasImports, unreadableItem } from './reading/ruleFormats.js';

export interface CatalogReading {
  /** Reads the file at a workspace path. Never rejects. */
  readonly read: (path: string) => Promise<FileRead>;
  readonly logError: (error: LoupeError) => void;
}

/** Maximum depth of nested imports, as in Claude Code. */
const MOST_IMPORTS_DEEP = 5;

/**
 * Reads the catalog. A file that cannot be read becomes an item with a problem. Unchanged items are the same objects as
 * in `before`, so that the ranker indexes only changed items. Never rejects.
 */
export async function readCatalog(paths: readonly CatalogPath[], reading: CatalogReading, before: Catalog): Promise<Catalog> {
  const items = await Promise.all(paths.map(async (path) => ({ item: await readOrSkip(path, reading), file: path.file })));
  const catalog = new Map<string, CatalogItem>();
  for (const item of withoutSame(items)) {
    const key = itemKey(itemOf(item));
    const first = catalog.get(key);
    const named = first === undefined ? item : namedByPath(item, first);
    const namedKey = itemKey(itemOf(named));
    catalog.set(namedKey, unchanged(named, before.get(namedKey)) ?? named);
  }
  return catalog;
}

/** Returns a second item with the same name under its path, because paths are unique. */
function namedByPath(item: CatalogItem, { source }: CatalogItem): CatalogItem {
  const remarks = remarksOn(item.source, [`${item.source} has the same name as ${source}. Loupe uses its path as the name.`]);
  return { ...item, name: item.source, remarks: [...item.remarks, ...remarks] };
}

/**
 * Sorts the items. If several items are links to the same file, keeps one of them, preferably with the mode `always`.
 * The rest of these items get the problem `shadowed`.
 */
function withoutSame(all: readonly { readonly item: CatalogItem; readonly file: string }[]): readonly CatalogItem[] {
  const used = new Map<string, CatalogItem>();
  const ordered = all.toSorted((a, b) => inOrder(a.item, b.item));
  for (const { item, file } of ordered) {
    const other = used.get(`${item.type} ${file}`);
    if (item.text !== null && (other === undefined || (other.include !== 'always' && item.include === 'always'))) {
      used.set(`${item.type} ${file}`, item);
    }
  }
  return ordered.map(({ item, file }) => {
    const other = used.get(`${item.type} ${file}`);
    return other === undefined || other === item ? item : { ...item, text: null, problem: { code: 'shadowed', by: other.source } };
  });
}

/** Sorts by priority, then from outer to inner folders, so that the rules of the nearest folder are last. */
function inOrder(a: CatalogItem, b: CatalogItem): number {
  if (a.priority !== b.priority) {
    return b.priority - a.priority;
  }
  const deeper = depth(a) - depth(b);
  return deeper === 0 ? (a.source < b.source ? -1 : 1) : deeper;
}

function depth({ source }: CatalogItem): number {
  return source.split('/').length;
}

/** Returns `before` for an unchanged item, otherwise null. JSON lacks functions, but these depend on other members. */
function unchanged(item: CatalogItem, before: CatalogItem | undefined): CatalogItem | null {
  return before !== undefined && JSON.stringify(item) === JSON.stringify(before) ? before : null;
}

async function readOrSkip(path: CatalogPath, { read, logError }: CatalogReading): Promise<CatalogItem> {
  try {
    return await readItem(path, read);
  } catch (thrown) {
    return unreadableItem(path.path, path.source, readingFailed(path.source, thrown, logError));
  }
}

/** Logs an internal failure. Returns the failure as the problem of the file `source`. */
export function readingFailed(source: string, thrown: unknown, logError: CatalogReading['logError']): FileProblem {
  const error = toLoupeError(thrown);
  logError(error);
  return { code: 'failed', text: `${source} cannot be read: ${error.message}` };
}

async function readItem({ path, source }: CatalogPath, read: (path: string) => Promise<FileRead>): Promise<CatalogItem> {
  const found = await read(source);
  if (!found.ok) {
    return unreadableItem(path, source, found.problem);
  }
  const item = catalogItem(path, source, found.content);
  if (!hasImports(path) || item.text === null) {
    return item;
  }
  const remarks: string[] = [];
  const text = await withImports(item.text, [source], { read, remarks });
  return { ...item, text, remarks: [...item.remarks, ...remarksOn(source, remarks)] };
}

/** Matches a path after `@` at the start of a word, outside of code. */
const IMPORT = /(?<![\w`@])@((?:\.{1,2}\/|[\w-])[\w./-]*\.[A-Za-z]\w*)/g;
const CODE = /^(?:```|~~~).*?^(?:```|~~~)|`[^`\n]*`/gms;

interface ImportContext {
  readonly read: (path: string) => Promise<FileRead>;
  readonly remarks: string[];
}

/** Returns the text with the texts of imported files after it. `chain`: the importing files, and last this file. */
async function withImports(text: string, chain: readonly string[], importing: ImportContext): Promise<string> {
  const source = chain.at(-1) ?? '';
  const named = [...text.replaceAll(CODE, '').matchAll(IMPORT)].map(([, path]) => join(dirname(source), path ?? ''));
  const parts = [text];
  for (const path of new Set(named)) {
    if (chain.includes(path)) {
      importing.remarks.push(`Loupe skips the import of ${path} in ${source}, because these files import each other.`);
    } else if (chain.length > MOST_IMPORTS_DEEP) {
      importing.remarks.push(`Loupe skips the import of ${path} in ${source}: it is more than ${String(MOST_IMPORTS_DEEP)} files deep.`);
    } else {
      const found = await importing.read(path);
      if (found.ok) {
        parts.push(`From ${path}:\n\n${await withImports(found.content.trim(), [...chain, path], importing)}`);
      } else {
        importing.remarks.push(`${source} imports ${path}. ${found.reason}`);
      }
    }
  }
  return parts.join('\n\n');
}
