import type { Catalog, CatalogItem } from '../../../engine/context/catalogItem.js';
import { promptBlocks } from '../../../engine/model/prompt.js';
import { isCatalogType, isResource, itemKey, type ContextItemBase, type FetchedPage } from '../../../engine/record/item.js';
import type { ContextRecord } from '../../../engine/record/manifest.js';
import { sumTokens } from '../../../engine/sumTokens.js';
import type { ContextChip } from '../../../protocol/panel/composer.js';
import type { ListedType, ManagedSections, ManagerRow, ManagerSection, ManagerView } from '../../../protocol/panel/manager.js';
import { MANAGED_TYPES } from '../../../protocol/panel/manager.js';
import type { BlockView } from '../../../protocol/panel/requestRows.js';
import { problemText } from '../../context/files/refusal.js';
import { PAGE_WARNINGS } from '../../context/pages/pageWarnings.js';
import { catalogTokens } from '../../context/itemTokens.js';
import { type LastUses, lastUses } from '../../../engine/next/lastUses.js';
import { notSelectedText } from '../../request/excluded/notSelectedItems.js';
import { isMatch, type ManagedContext, type MeasuredContext, mostRows, searchedIn, shownOff } from './managed.js';
import { repositorySection } from './repositorySection.js';
import { toolSection } from './toolSection.js';

/** A row, with the catalog item whose path and description the search includes. */
interface SearchableRow extends Omit<ManagerRow, 'tokens'> {
  readonly type: ListedType;
  readonly isHeld: boolean;
  readonly item: CatalogItem | null;
}

/** Returns the data of the context pane: all items of a chat and its catalog by kind, and rows for open sections. */
export function managerView(managed: ManagedContext, sections: ManagedSections): ManagerView {
  const { composed, rows, request, state } = managed;
  const { catalog, isRestricted } = composed.context;
  const chips = new Map(managed.chips.map((chip) => [chip.key, chip]));
  const unused = new Set(request.unused.keys);
  const { requests, ago } = lastUses(state);
  const pages = new Map(
    composed.context.resolved.flatMap(({ item }) => (item.page === undefined ? [] : [[itemKey(item), item.page] as const])),
  );
  const revoked = revokedItems(composed);
  const found = composed.records.flatMap(
    (record) => withPage(withRevocation(rowOf(record, { catalog, chips, unused, ago }), revoked), pages) ?? [],
  );
  const measured = { ...managed, tokens: heldTokens(rows.blocks) };
  const all = MANAGED_TYPES.filter((type) => type !== 'tool').map((type) =>
    type === 'repository'
      ? repositorySection(managed, sections)
      : section(
          type,
          found.filter((row) => row.type === type),
          measured,
          sections,
        ),
  );
  const tools = toolSection(measured, sections);
  return {
    isRestricted,
    agent: composed.agent,
    items: all.reduce((sum, { held }) => sum + held, tools.held),
    tokens: tools.tokens + sumTokens(all),
    requests,
    sections: all,
    tools,
  };
}

/** Returns the keys of removed items whose text is still in the system prompt, so that the cache stays valid. */
function revokedItems({ prompt }: ManagedContext['composed']): ReadonlySet<string> {
  return new Set(
    promptBlocks(prompt).flatMap(({ item, role, form }) => (item !== null && role === 'system' && form === 'carried' ? [item] : [])),
  );
}

const STILL_SENT =
  'Requests still contain its text, and tell the model that it is no longer valid. The command "Loupe: Rebuild Prompt" removes the text.';

function withRevocation(row: SearchableRow | null, revoked: ReadonlySet<string>): SearchableRow | null {
  return row === null || row.isHeld || row.note !== null || !revoked.has(row.key) ? row : { ...row, ...plainNote(STILL_SENT) };
}

/** Returns the tokens by item key, including definitions of loaded tools. Omits items picked for earlier messages. */
export function heldTokens(blocks: readonly BlockView[]): ReadonlyMap<string, number> {
  return new Map(
    blocks.flatMap(({ file, includeMode, tokens, loadedTokens }) =>
      file === null || includeMode === null ? [] : [[file, loadedTokens ?? tokens]],
    ),
  );
}

function section(
  type: ListedType,
  all: readonly SearchableRow[],
  { tokens, counter, rows }: MeasuredContext,
  sections: ManagedSections,
): ManagerSection {
  const held = all.filter(({ isHeld }) => isHeld);
  const searched = searchedIn(sections);
  const matching = all.filter(({ name, source, item }) => isMatch([name, source ?? '', item?.description ?? ''], searched));
  const isOpen = searched !== '' || sections.open.includes(type);
  const shown = isOpen ? first(matching.toSorted(byMode), mostRows(type, sections)) : [];
  return {
    type,
    held: held.length,
    total: all.length,
    tokens: held.reduce((sum, { key }) => sum + (tokens.get(key) ?? 0), frameTokens(type, rows.blocks)),
    rows: shown.map(({ type: _type, isHeld: _isHeld, item, ...row }) => ({
      ...row,
      tokens: tokens.get(row.key) ?? (item === null ? null : catalogTokens(row.key, item, counter)),
    })),
    more: isOpen ? matching.length - shown.length : 0,
  };
}

/** Returns the tokens of the text around the items of a section. The next request counts it as files, too. */
function frameTokens(type: ListedType, blocks: readonly BlockView[]): number {
  return sumTokens(blocks.filter(({ around }) => around === type));
}

const MODES = ['always', 'manual', 'agent', null];

/** Sorts by include mode, best match, then catalog order, so that a row keeps its place when the user checks it. */
function byMode(a: SearchableRow, b: SearchableRow): number {
  const modes = MODES.indexOf(a.includeMode) - MODES.indexOf(b.includeMode);
  return modes === 0 ? (b.score ?? 0) - (a.score ?? 0) : modes;
}

/** Returns the rows to show. With too many rows: all items in the request, then the first of the remaining items. */
function first(rows: readonly SearchableRow[], most: number): readonly SearchableRow[] {
  const held = rows.filter(({ isHeld }) => isHeld);
  const others = rows.filter(({ isHeld }) => !isHeld);
  const shown = new Set([...held, ...others].slice(0, most));
  return rows.filter((row) => shown.has(row));
}

/** Adds what the row of a web page shows: its title, address, age and size, and a warning. */
function withPage(row: SearchableRow | null, pages: ReadonlyMap<string, FetchedPage>): SearchableRow | null {
  const page = row === null ? undefined : pages.get(row.key);
  if (row === null || page === undefined) {
    return row;
  }
  const { title, fetchedAt, bytes, warning } = page;
  const note = row.note ?? (warning === null ? null : PAGE_WARNINGS[warning].text);
  return { ...row, name: title, source: row.name, note, page: { address: row.name, fetchedAt, bytes } };
}

interface RowInput {
  readonly catalog: Catalog;
  readonly chips: ReadonlyMap<string, ContextChip>;
  readonly unused: ReadonlySet<string>;
  readonly ago: LastUses['ago'];
}

function rowOf(record: ContextRecord, { catalog, chips, unused, ago }: RowInput): SearchableRow | null {
  const { item: held, leftOut } = record;
  if (held.type === 'tool' || held.type === 'repository') {
    return null;
  }
  const key = itemKey(held);
  const item = catalog.get(key) ?? null;
  const chip = chips.get(key);
  const { type, name } = held;
  return {
    ...{ key, type, name, item, isHeld: leftOut === null, isUnused: unused.has(key) },
    source: sourceOf(held, item),
    lastUse: ago.get(key) ?? null,
    includeMode: isFromUser(held) ? null : (item?.include ?? held.includeMode),
    isForFiles: hasPatterns(item),
    score: chip === undefined ? (held.similarityScore ?? null) : null,
    ...(chip === undefined
      ? apart(record, item)
      : { state: 'in', off: null, ...(chip.warning === null ? faultOf(item) : plainNote(chip.warning.text)) }),
  };
}

function hasPatterns(item: CatalogItem | null): boolean {
  return item !== null && item.applies !== null;
}

/** Whether only the user can add the item: it comes from no catalog. */
function isFromUser(item: ContextItemBase): boolean {
  return !isCatalogType(item.type) || isResource(item);
}

function sourceOf(held: ContextItemBase, item: CatalogItem | null): string | null {
  if (isResource(held)) {
    return held.serverName;
  }
  const own = item === null || item.source === item.name ? [] : [item.source];
  const all = [...own, ...(item?.copies ?? [])];
  return all.length === 0 ? null : all.join(', ');
}

/** Returns the state of an item outside the chat. */
function apart({ item: held, leftOut }: ContextRecord, item: CatalogItem | null): Pick<SearchableRow, 'state' | 'off' | 'note' | 'place'> {
  const fault = faultOf(item);
  if (leftOut === null) {
    return { state: 'picked', off: null, ...fault };
  }
  const isOff = leftOut.code === 'disabled' || (item !== null && item.problem !== null);
  // The row's checkbox, score and `off` already show these reasons.
  const isPlain = ['notAdded', 'belowScore', 'disabled', 'removed'].includes(leftOut.code);
  const off = shownOff(leftOut, held.includeMode);
  return { state: isOff ? 'off' : 'out', off, ...(fault.note !== null || isPlain ? fault : plainNote(notSelectedText(held, leftOut))) };
}

type RowNote = Pick<SearchableRow, 'note' | 'place'>;

function plainNote(note: string | null): RowNote {
  return { note, place: null };
}

/** Returns the problem or the first remark of an item's file, as the note of the row. */
function faultOf(item: CatalogItem | null): RowNote {
  if (item === null) {
    return plainNote(null);
  }
  if (item.problem !== null) {
    return plainNote(problemText(item.source, item.problem));
  }
  const remark = item.remarks[0] ?? { text: null, path: item.source, line: null };
  return { note: remark.text, place: remark.line === null ? null : { path: remark.path, line: remark.line } };
}
