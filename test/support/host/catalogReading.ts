import assert from 'node:assert/strict';
import { EMPTY_CATALOG, type CatalogItem, type Remark } from '../../../src/engine/context/catalogItem.js';
import type { FileRead } from '../../../src/engine/context/fileContents.js';
import { readCatalog, type CatalogReading } from '../../../src/host/context/catalog/readCatalog.js';
import { isCatalogPath } from '../../../src/host/context/files/catalogPlaces.js';
import { refused } from '../../../src/host/context/files/refusal.js';

/** Reads the files of a catalog. An error in Loupe's code fails the test. */
export function readingOf(read: CatalogReading['read']): CatalogReading {
  return {
    read,
    isOff: () => false,
    logError: (error) => {
      throw error;
    },
  };
}

/** The texts of files by path. Null for a file that cannot be read. */
export type Texts = Readonly<Record<string, string | null>>;

export function readerOf(texts: Texts): (path: string) => Promise<FileRead> {
  return (path) => {
    const content = texts[path] ?? null;
    return Promise.resolve(content === null ? refused(path, { code: 'missing' }) : { ok: true, content, bytes: content.length });
  };
}

/** Returns the catalog of a workspace with these files. Some of them are links to another path. */
export async function itemsAmongLinks(texts: Texts, links: Readonly<Record<string, string>>): Promise<readonly CatalogItem[]> {
  return itemsRead(texts, links, readerOf(texts));
}

export function itemsAmong(texts: Texts): Promise<readonly CatalogItem[]> {
  return itemsAmongLinks(texts, {});
}

/** Returns the catalog, and the paths in the order in which Loupe read them. */
export async function readsAmong(texts: Texts): Promise<{ readonly items: readonly CatalogItem[]; readonly reads: readonly string[] }> {
  const reads: string[] = [];
  const read = readerOf(texts);
  const items = await itemsRead(texts, {}, (path) => {
    reads.push(path);
    return read(path);
  });
  return { items, reads };
}

async function itemsRead(
  texts: Texts,
  links: Readonly<Record<string, string>>,
  read: CatalogReading['read'],
): Promise<readonly CatalogItem[]> {
  const paths = Object.keys(texts).filter(isCatalogPath);
  const catalog = await readCatalog(
    paths.map((path) => ({ path, source: path, prefix: '', file: links[path] ?? path })),
    readingOf(read),
    EMPTY_CATALOG,
  );
  return [...catalog.values()];
}

export async function itemAt(path: string, text: string): Promise<CatalogItem> {
  const [item] = await itemsAmong({ [path]: text });
  assert.ok(item);
  return item;
}

export function textsOf(remarks: readonly Remark[] | undefined): readonly string[] {
  return (remarks ?? []).map(({ text }) => text);
}
