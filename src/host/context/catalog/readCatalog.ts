import { dirname, join } from 'node:path/posix';
import type { FileRead } from '../../../engine/context/fileContents.js';
import { itemKey } from '../../../engine/context/item.js';
import type { Catalog, CatalogItem } from '../../../engine/context/catalogItem.js';
import { catalogItem, hasImports, unreadableItem } from './ruleFormats.js';

/** A file that may be a rule or a reference: its workspace path, and that within its workspace folder. */
export interface CatalogPath {
  readonly source: string;
  readonly path: string;
}

/** How deep files may import each other, as Claude Code has it. */
const MOST_IMPORTS_DEEP = 5;

/** Reads the catalog. A file that cannot be read is in it with its problem. Never rejects. */
export async function readCatalog(paths: readonly CatalogPath[], read: (path: string) => Promise<FileRead>): Promise<Catalog> {
  const items = await Promise.all(paths.map((path) => readItem(path, read)));
  const sorted = items.toSorted((a, b) => (a.priority === b.priority ? (a.source < b.source ? -1 : 1) : b.priority - a.priority));
  const catalog = new Map<string, CatalogItem>();
  for (const item of sorted) {
    const key = itemKey({ type: item.type, name: item.name });
    const first = catalog.get(key);
    // Paths are unique: the second of a name goes by its own.
    const named =
      first === undefined ? item : { ...item, name: item.source, remarks: [...item.remarks, `${first.source} has the same name.`] };
    catalog.set(itemKey({ type: named.type, name: named.name }), named);
  }
  return catalog;
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
  const remarks: string[] = [...item.remarks];
  const text = await withImports(item.text, [source], { read, remarks });
  return { ...item, text, remarks };
}

/** A path behind an `@` that begins a word, outside of code. */
const IMPORT = /(?<![\w`@])@((?:\.{1,2}\/|[\w-])[\w./-]*\.[A-Za-z]\w*)/g;
const CODE = /^(?:```|~~~).*?^(?:```|~~~)|`[^`\n]*`/gms;

interface Importing {
  readonly read: (path: string) => Promise<FileRead>;
  /** What could not be imported, for the user. */
  readonly remarks: string[];
}

/** The text with the texts of the files that it imports below it. `chain` are the files that led to it, itself the last. */
async function withImports(text: string, chain: readonly string[], importing: Importing): Promise<string> {
  const source = chain.at(-1) ?? '';
  const named = [...text.replaceAll(CODE, '').matchAll(IMPORT)].map(([, path = '']) => join(dirname(source), path));
  const parts = [text];
  for (const path of new Set(named)) {
    if (chain.includes(path)) {
      importing.remarks.push(`${source} imports ${path}, which leads back to it.`);
    } else if (chain.length > MOST_IMPORTS_DEEP) {
      importing.remarks.push(`${source} imports ${path}, more than ${String(MOST_IMPORTS_DEEP)} files deep.`);
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
