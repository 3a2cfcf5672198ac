import type { EntryView, PanelState, PartView } from './view.js';

/*
 * The panel's state travels as one snapshot and then numbered deltas. Both ends share these functions:
 * `applyDelta(a, diffState(a, b))` equals `b`.
 */

/** What a streaming entry grows by, many times a second: text at the end of a part, or a part at the end of all. */
export type Append =
  | {
      readonly entryId: string;
      readonly part: number;
      /** Length of the part's text, or of its arguments, before, in UTF-16 units. */
      readonly offset: number;
      readonly text: string;
    }
  | { readonly entryId: string; readonly part: number; readonly begins: PartView };

export interface Delta {
  /** Top-level members that changed, whole; never `entries`. */
  readonly set: Partial<Omit<PanelState, 'entries'>>;
  /** Ids of all entries in order, when entries came, went or moved; null when they did not. */
  readonly order: readonly string[] | null;
  /** Entries that are new or changed otherwise than by `append`. */
  readonly put: readonly EntryView[];
  readonly append: readonly Append[];
}

/** The delta from `before` to `after`; null when nothing changed. Members and entries are compared by value. */
export function diffState(before: PanelState, after: PanelState): Delta | null {
  const set = changedMembers(before, after);
  const known = new Map(before.entries.map((entry) => [entry.id, entry]));
  const put: EntryView[] = [];
  const append: Append[] = [];
  for (const entry of after.entries) {
    const old = known.get(entry.id);
    const grown = old === undefined ? null : appendOf(old, entry);
    if (grown !== null) {
      append.push(...grown);
    } else {
      put.push(entry);
    }
  }
  const order = sameOrder(before.entries, after.entries) ? null : after.entries.map((entry) => entry.id);
  const nothing = Object.keys(set).length === 0 && order === null && put.length === 0 && append.length === 0;
  return nothing ? null : { set, order, put, append };
}

/** The state after a delta. Throws when the delta does not fit: the receiver then asks for a snapshot. */
export function applyDelta(state: PanelState, delta: Delta): PanelState {
  if (delta.order === null && delta.put.length === 0 && delta.append.length === 0) {
    return { ...state, ...delta.set };
  }
  const byId = new Map(state.entries.map((entry) => [entry.id, entry]));
  for (const entry of delta.put) {
    byId.set(entry.id, entry);
  }
  const order = delta.order ?? state.entries.map((entry) => entry.id);
  checkPlaces(delta.put, order);
  for (const id of new Set(delta.append.map(({ entryId }) => entryId))) {
    const appends = delta.append.filter(({ entryId }) => entryId === id);
    byId.set(id, appended(byId.get(id), appends));
  }
  const entries = order.map((id) => {
    const entry = byId.get(id);
    if (entry === undefined) {
      throw new Error(`The delta orders the unknown entry ${id}`);
    }
    return entry;
  });
  return { ...state, ...delta.set, entries };
}

/** A new entry comes with the order that has its place. */
function checkPlaces(put: readonly EntryView[], order: readonly string[]): void {
  const places = new Set(order);
  const lost = put.find((entry) => !places.has(entry.id));
  if (lost !== undefined) {
    throw new Error(`The delta changes the unknown entry ${lost.id}`);
  }
}

type Member = Exclude<keyof PanelState, 'entries'>;

const MEMBERS: readonly Member[] = ['chats', 'chat', 'outputs', 'draft', 'context', 'nextRequest', 'models', 'banners'];

function changedMembers(before: PanelState, after: PanelState): Partial<Omit<PanelState, 'entries'>> {
  const changed = MEMBERS.filter((member) => !sameValue(before[member], after[member]));
  return Object.fromEntries(changed.map((member) => [member, after[member]]));
}

function sameOrder(before: readonly EntryView[], after: readonly EntryView[]): boolean {
  return before.length === after.length && before.every((entry, index) => entry.id === after[index]?.id);
}

/** The appends that turn `old` into `entry`: none when they are equal, null when it takes more than appends. */
function appendOf(old: EntryView, entry: EntryView): Append[] | null {
  if (old === entry) {
    return [];
  }
  if (old.kind !== 'assistant' || entry.kind !== 'assistant' || old.parts.length > entry.parts.length) {
    return sameValue(old, entry) ? [] : null;
  }
  if (!sameValue({ ...old, parts: [] }, { ...entry, parts: [] })) {
    return null;
  }
  const appends: Append[] = [];
  for (const [part, after] of entry.parts.entries()) {
    const before = old.parts[part];
    if (before === undefined) {
      appends.push({ entryId: entry.id, part, begins: after });
      continue;
    }
    const text = growth(before, after);
    if (text === null) {
      return null;
    }
    if (text !== '') {
      appends.push({ entryId: entry.id, part, offset: textOf(before).length, text });
    }
  }
  return appends;
}

/** The text by which a part has grown: '' when it is the same, null when it changed otherwise. */
function growth(before: PartView, after: PartView): string | null {
  if (before === after) {
    return '';
  }
  const [shorter, longer] = [textOf(before), textOf(after)];
  const isGrown = longer.startsWith(shorter) && sameValue(withText(before, ''), withText(after, ''));
  return isGrown ? longer.slice(shorter.length) : null;
}

function textOf(part: PartView): string {
  return part.type === 'toolCall' ? part.args : part.text;
}

function withText(part: PartView, text: string): PartView {
  return part.type === 'toolCall' ? { ...part, args: text } : { ...part, text };
}

/** All that an entry grows by at once: its parts may be many, and are copied once. */
function appended(entry: EntryView | undefined, appends: readonly Append[]): EntryView {
  if (entry?.kind !== 'assistant') {
    throw new Error('The delta appends to an entry that is no reply');
  }
  const parts = [...entry.parts];
  for (const append of appends) {
    const part = parts[append.part];
    if ('begins' in append && append.part === parts.length) {
      parts.push(append.begins);
    } else if (part !== undefined && 'text' in append && textOf(part).length === append.offset) {
      parts[append.part] = withText(part, textOf(part) + append.text);
    } else {
      throw new Error(`The delta appends to part ${String(append.part)} of ${entry.id}, which does not end there`);
    }
  }
  return { ...entry, parts };
}

/** Equality of plain JSON values, members in any order. */
function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) {
    return true;
  }
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    return false;
  }
  const keys = Object.keys(a);
  return (
    Array.isArray(a) === Array.isArray(b) &&
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameValue(member(a, key), member(b, key)))
  );
}

function member(object: object, key: string): unknown {
  return (object as Record<string, unknown>)[key];
}
