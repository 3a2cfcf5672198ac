import type { Catalog, CatalogItem } from '../../../engine/context/catalogItem.js';
import { isResource, itemKey, type ContextItemBase } from '../../../engine/record/item.js';
import type { ChatState } from '../../../engine/chat/state.js';
import type { ComposedRequest } from '../../../engine/next/compose.js';
import type { TokenCounter } from '../../../engine/ports.js';
import type { ContextRecord } from '../../../engine/record/manifest.js';
import { sumTokens } from '../../../engine/sumTokens.js';
import type { ContextChip } from '../../../protocol/panel/chips.js';
import type { ListedType, ManagedSections, ManagerRow, ManagerSection, ManagerView } from '../../../protocol/panel/manager.js';
import { MANAGED_TYPES, MOST_MANAGED } from '../../../protocol/panel/manager.js';
import type { BlockView, NextRequestRows } from '../../../protocol/panel/requestRows.js';
import type { NextRequestView } from '../../../protocol/panel/view.js';
import { problemText } from '../../context/files/refusal.js';
import { catalogText } from '../../context/resolveContext.js';
import { type LastUses, lastUses } from '../nextRequest/lastUses.js';
import type { ServersState } from '../../tools/serverStates.js';
import { lastCalls } from '../nextRequest/lastCalls.js';
import { notSelectedText } from '../../request/excluded/notSelectedText.js';
import { toolsSentence } from '../../request/sizeTexts.js';
import { toolSection } from './toolSection.js';

export interface ManagedContext {
  readonly state: ChatState;
  readonly composed: ComposedRequest;
  readonly rows: Pick<NextRequestRows, 'blocks'>;
  /** The items and servers that no message has mentioned, and no call has used, for a long time. */
  readonly request: Pick<NextRequestView, 'unused' | 'unusedServers'>;
  /** The chips of the chat's items, one per item. */
  readonly chips: readonly ContextChip[];
  readonly counter: TokenCounter;
  readonly servers: ServersState;
}

/** A row, with the catalog item whose path and description the search includes. */
interface SearchableRow extends Omit<ManagerRow, 'tokens'> {
  readonly type: ListedType;
  readonly isHeld: boolean;
  readonly item: CatalogItem | null;
}

/** Maximum number of characters to count exactly. Loupe estimates the tokens of longer texts, for speed. */
const MOST_COUNTED = 100_000;
const CHARACTERS_PER_TOKEN = 4;

/** Returns the data of the context pane: all items of a chat and its catalog by kind, and rows for open sections. */
export function managerView(managed: ManagedContext, sections: ManagedSections): ManagerView {
  const { composed, rows, request, counter, servers, state } = managed;
  const { records, agent, model } = composed;
  const { catalog, isRestricted } = composed.context;
  const chips = new Map(managed.chips.map((chip) => [chip.key, chip]));
  const unused = new Set(request.unused.keys);
  const { requests, ago } = lastUses(state);
  const found = records.flatMap((record) => rowOf(record, { catalog, chips, unused, ago }) ?? []);
  const tokens = heldTokens(rows.blocks);
  const all = MANAGED_TYPES.filter((type) => type !== 'tool').map((type) =>
    section(
      type,
      found.filter((row) => row.type === type),
      { counter, tokens, sections },
    ),
  );
  const [notOffered = null] = toolsSentence(composed.adaptations, model.label);
  const offer = { notOffered, loadsTools: model.capabilities.toolsOnDemand };
  const shared = { records, catalog, isRestricted, ...offer, tokens, counter, state: servers };
  const tools = toolSection({ ...shared, lastCalls: lastCalls(state), unused: request.unusedServers.map(({ name }) => name) }, sections);
  return {
    isRestricted,
    agent,
    items: all.reduce((sum, { held }) => sum + held, tools.held),
    tokens: tools.tokens + sumTokens(all),
    requests,
    sections: all,
    tools,
  };
}

/** Returns the tokens by item key, including definitions of loaded tools. Omits items picked for earlier messages. */
function heldTokens(blocks: readonly BlockView[]): ReadonlyMap<string, number> {
  return new Map(
    blocks.flatMap(({ file, includeMode, tokens, loadedTokens }) =>
      file === null || includeMode === null ? [] : [[file, loadedTokens ?? tokens]],
    ),
  );
}

interface SectionInput {
  readonly counter: TokenCounter;
  readonly tokens: ReadonlyMap<string, number>;
  readonly sections: ManagedSections;
}

function section(
  type: ListedType,
  all: readonly SearchableRow[],
  { tokens, sections: { search, open }, counter }: SectionInput,
): ManagerSection {
  const held = all.filter(({ isHeld }) => isHeld);
  const wanted = search.trim().toLowerCase();
  const matching = wanted === '' ? all : all.filter((row) => matches(row, wanted));
  const isOpen = wanted !== '' || open.includes(type);
  const shown = isOpen ? first(matching.toSorted(byMode)) : [];
  return {
    type,
    held: held.length,
    total: all.length,
    tokens: held.reduce((sum, { key }) => sum + (tokens.get(key) ?? 0), 0),
    rows: shown.map(({ type: _type, isHeld: _isHeld, item, ...row }) => ({
      ...row,
      tokens: tokens.get(row.key) ?? ownTokens(row.key, item, counter),
    })),
    more: isOpen ? matching.length - shown.length : 0,
  };
}

function matches({ name, source, item }: SearchableRow, wanted: string): boolean {
  return [name, source ?? '', item?.description ?? ''].some((text) => text.toLowerCase().includes(wanted));
}

const MODES = ['always', 'manual', 'agent', null];

/** Sorts by include mode, best match, then catalog order, so that a row keeps its place when the user checks it. */
function byMode(a: SearchableRow, b: SearchableRow): number {
  const modes = MODES.indexOf(a.includeMode) - MODES.indexOf(b.includeMode);
  return modes === 0 ? (b.score ?? 0) - (a.score ?? 0) : modes;
}

/** Returns the rows to show. With too many rows: all items in the request, then the first of the remaining items. */
function first(rows: readonly SearchableRow[]): readonly SearchableRow[] {
  const held = rows.filter(({ isHeld }) => isHeld);
  const others = rows.filter(({ isHeld }) => !isHeld);
  const shown = new Set([...held, ...others].slice(0, MOST_MANAGED));
  return rows.filter((row) => shown.has(row));
}

interface RowInput {
  readonly catalog: Catalog;
  readonly chips: ReadonlyMap<string, ContextChip>;
  readonly unused: ReadonlySet<string>;
  readonly ago: LastUses['ago'];
}

function rowOf(record: ContextRecord, { catalog, chips, unused, ago }: RowInput): SearchableRow | null {
  const { item: held, leftOut } = record;
  if (held.type === 'tool') {
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
    // Only the user can add files and resources, so they have no include mode.
    includeMode: held.type === 'file' || isResource(held) ? null : (item?.include ?? held.includeMode),
    score: chip === undefined ? (held.similarityScore ?? null) : null,
    ...(chip === undefined
      ? apart(record, item)
      : { state: 'in', ...(chip.warning === null ? faultOf(item) : plainNote(chip.warning.text)) }),
  };
}

function sourceOf(held: ContextItemBase, item: CatalogItem | null): string | null {
  if (isResource(held)) {
    return held.serverName;
  }
  return item === null || item.source === item.name ? null : item.source;
}

/** Returns the state of an item outside the chat. */
function apart({ item: held, leftOut }: ContextRecord, item: CatalogItem | null): Pick<SearchableRow, 'state' | 'note' | 'place'> {
  const fault = faultOf(item);
  if (leftOut === null) {
    return { state: 'picked', ...fault };
  }
  const isOff = leftOut.code === 'disabled' || (item !== null && item.problem !== null);
  // The row's checkbox and score already show these reasons.
  const isPlain = leftOut.code === 'notAdded' || leftOut.code === 'belowScore';
  return { state: isOff ? 'off' : 'out', ...(fault.note !== null || isPlain ? fault : plainNote(notSelectedText(held, leftOut))) };
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

/** Cached token counts. A changed file becomes a new item object. */
const counts = new WeakMap<CatalogItem, { readonly counter: string; readonly tokens: number }>();

function ownTokens(key: string, item: CatalogItem | null, counter: TokenCounter): number | null {
  if (item === null || item.text === null) {
    return null;
  }
  const known = counts.get(item);
  if (known?.counter === counter.id) {
    return known.tokens;
  }
  const { type } = item;
  const text = type === 'tool' ? item.text : catalogText(key, type, item).text;
  const tokens = text.length > MOST_COUNTED ? Math.ceil(text.length / CHARACTERS_PER_TOKEN) : counter.count(text);
  counts.set(item, { counter: counter.id, tokens });
  return tokens;
}
