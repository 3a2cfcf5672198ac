import type { Catalog, CatalogItem, Remark } from '../context/catalogItem.js';
import type { FileContents } from '../context/fileContents.js';
import type { Selection } from '../context/select.js';
import { type NotSelectedReason, type RequestContextItem, type SessionContextItem, itemKey } from '../record/item.js';
import type { ContextRecord, FileCut } from '../record/manifest.js';
import type { CatalogText } from '../request/gather.js';
import type { Request } from '../request/request.js';
import type { ResolvedRepository } from './repository.js';

/** A context item of a chat, with the hash of its current content. */
export interface ResolvedItem {
  readonly item: SessionContextItem;
  readonly hash: string | null;
  /** Why the request does not contain the item. Null when the request contains the item. */
  readonly notSelectedReason: NotSelectedReason | null;
}

export interface ResolvedContext {
  readonly files: FileContents;
  /** Rules, references and skills of the system prompt, by priority. */
  readonly standing: readonly CatalogText[];
  /** Texts of the items that Loupe picked for the newest message, best first. */
  readonly picked: readonly CatalogText[];
  /** The tools of the chat in the order of the catalog. In a composed request: the offered tools. */
  readonly tools: readonly CatalogItem[];
  readonly resolved: readonly ResolvedItem[];
  /** Catalog items that the request adds to the chat's context, and catalog items that were not selected. */
  readonly selection: Selection;
  readonly repository: ResolvedRepository;
  /** The whole catalog. Empty for a request without catalog items. */
  readonly catalog: Catalog;
  /** Whether the workspace is in Restricted Mode, in which the catalog is empty. */
  readonly isRestricted: boolean;
  /** A sentence for each problem of a catalog file that Loupe uses in spite of the problem. */
  readonly remarks: readonly Remark[];
}

const NO_TOOLS = { code: 'noTools' } as const;

/** Returns the record of a request's context: its items with their cuts, and not selected items with reasons. */
export function contextRecords(
  { resolved, selection, repository }: Pick<ResolvedContext, 'resolved' | 'selection' | 'repository'>,
  { cuts, offersTools }: Pick<Request, 'cuts' | 'offersTools'>,
): readonly ContextRecord[] {
  const { always, onDemand, picked, forFiles, absent } = selection;
  const own = resolved.map(({ item: { addedHash: _addedHash, given: _given, page: _page, ...item }, notSelectedReason }) => ({
    item,
    leftOut: notSelectedReason,
    ...linkOf(item, repository),
  }));
  const held = [...own, ...[...always, ...onDemand, ...forFiles, ...picked].map((item) => ({ item, leftOut: null }))].map((record) =>
    offersTools || record.item.type !== 'tool' ? withCut(record, cuts) : { item: record.item, leftOut: record.leftOut ?? NO_TOOLS },
  );
  return [...held, ...repositoryRecords(repository, cuts), ...absent.map(({ item, reason }) => ({ item, leftOut: reason }))];
}

function linkOf({ type, name }: RequestContextItem, { links }: ResolvedRepository): Pick<ContextRecord, 'link'> {
  const link = type === 'file' ? links.get(name) : undefined;
  return link === undefined ? {} : { link };
}

function repositoryRecords({ texts, missing }: ResolvedRepository, cuts: ReadonlyMap<string, FileCut>): readonly ContextRecord[] {
  return (['tree', 'map'] as const).flatMap((name): ContextRecord[] => {
    const item = { type: 'repository', name, includeMode: 'always' } as const;
    const reason = missing.get(name) ?? null;
    return reason === null && texts[name].length === 0 ? [] : [withCut({ item, leftOut: reason }, cuts)];
  });
}

function withCut(record: ContextRecord, cuts: ReadonlyMap<string, FileCut>): ContextRecord {
  const cut = cuts.get(itemKey(record.item));
  if (cut === undefined) {
    return record;
  }
  const { hash, lines, ofTokens } = cut;
  return lines === 0 ? { item: record.item, leftOut: { code: 'noRoom', hash, tokens: ofTokens } } : { ...record, cut };
}
