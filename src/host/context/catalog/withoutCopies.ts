import type { CatalogItem } from '../../../engine/context/catalogItem.js';
import { catalogFormat, type CatalogPath } from '../files/catalogPlaces.js';
import { isUserPath } from '../files/userFiles.js';
import { computedOnce } from './computedOnce.js';
import { anyPatterns } from './filePatterns.js';

/* Several programs read the same rules from files of their own: copies or links. Requests contain such a text once. */

export interface FoundItem {
  readonly item: CatalogItem;
  readonly path: CatalogPath;
}

/**
 * Sorts the items. Keeps one of the items with the same file, or with the same text in different formats, preferably
 * one with the mode `always`. A request contains this one if it would contain any of them. The other rules and
 * references get the problem `shadowed`, and the other skills are left out. An AGENTS.override.md replaces AGENTS.md.
 */
export function withoutCopies(all: readonly FoundItem[]): readonly FoundItem[] {
  const ordered = withoutOverruled(all.toSorted((a, b) => inOrder(a.item, b.item)));
  const groups = groupsOf(ordered);
  return ordered.flatMap((found) => {
    const { item, path } = found;
    const group = groups.get(found) ?? [item];
    const kept = group.find(({ include }) => include === 'always') ?? group[0] ?? item;
    if (kept === item) {
      return { path, item: merged(item, group) };
    }
    return item.type === 'skill' ? [] : { path, item: { ...item, text: null, problem: { code: 'shadowed', by: kept.source } } };
  });
}

const OVERRIDE = /\bAGENTS\.override\.md$/;

/** Gives each AGENTS.md with an AGENTS.override.md in the same folder the problem `overruled`. */
function withoutOverruled(all: readonly FoundItem[]): readonly FoundItem[] {
  const overrides = all.flatMap(({ item: { source, text } }) => (OVERRIDE.test(source) && (text ?? '') !== '' ? [source] : []));
  return all.map(({ item, path }) => {
    const by = overrides.find((source) => source.replace(OVERRIDE, 'AGENTS.md') === item.source);
    return { path, item: by === undefined ? item : { ...item, text: null, problem: { code: 'overruled', by } } };
  });
}

/** Returns the items with the same file, or with the same text in different formats, by item. */
function groupsOf(ordered: readonly FoundItem[]): ReadonlyMap<FoundItem, readonly CatalogItem[]> {
  const byFile = new Map<string, FoundItem[]>();
  const byText = new Map<string, Map<string, FoundItem[]>>();
  for (const found of ordered) {
    const { item, path } = found;
    if (item.text === null || item.text === '' || item.offBy !== null) {
      continue;
    }
    const [file, text] = [`${item.type} ${path.file}`, comparedText(item)];
    const ofIdentity = byText.get(identity(item)) ?? new Map<string, FoundItem[]>();
    const sameText = ofIdentity.get(text);
    const group = byFile.get(file) ?? (sameText?.some((other) => isSameFormat(other, found)) === true ? [] : (sameText ?? []));
    group.push(found);
    byFile.set(file, group);
    byText.set(identity(item), ofIdentity.set(text, sameText ?? group));
  }
  return new Map([...new Set(byFile.values())].flatMap((group) => group.map((found) => [found, group.map(({ item }) => item)])));
}

/** Whether two rules are of the same format. Equal rules of one format are probably for different files. */
function isSameFormat(a: FoundItem, b: FoundItem): boolean {
  return a.item.type !== 'skill' && catalogFormat(a.path.path) === catalogFormat(b.path.path);
}

/** A skill is its text under its name. The name of a rule may be its path. */
function identity({ type, name, description }: CatalogItem): string {
  return JSON.stringify(type === 'skill' ? [type, name, description] : [type]);
}

/** Returns the text without blanks at the ends of lines. */
const comparedText = computedOnce(({ text }: CatalogItem) => (text ?? '').replaceAll(/[ \t\r]+\n/g, '\n'));

function merged(kept: CatalogItem, group: readonly CatalogItem[]): CatalogItem {
  const copies = group.filter((item) => item !== kept).map(({ source }) => source);
  if (copies.length === 0) {
    return kept;
  }
  if (kept.include === 'always') {
    return { ...kept, copies };
  }
  const picked = group.filter(({ include }) => include === 'agent');
  return {
    ...kept,
    copies,
    include: picked.length > 0 ? 'agent' : kept.include,
    description: group.find(({ description }) => description !== '')?.description ?? '',
    applies: anyPatterns(picked.flatMap(({ applies }) => applies ?? [])),
  };
}

/** Sorts by priority, then from outer to inner folders, so that the rules of the nearest folder are last. */
function inOrder(a: CatalogItem, b: CatalogItem): number {
  if (a.priority !== b.priority) {
    return b.priority - a.priority;
  }
  const deeper = depth(a) - depth(b);
  return deeper === 0 ? (a.source < b.source ? -1 : 1) : deeper;
}

/** The rules of the user come first, because they are for all workspaces. */
function depth({ source }: CatalogItem): number {
  return isUserPath(source) ? 0 : source.split('/').length;
}
