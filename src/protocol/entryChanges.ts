import { sameValue, type Member } from './member.js';
import type { EntryView, PartView } from './view.js';

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

export interface EntryChanges {
  /** Ids of all entries in order, when entries came, went or moved; null when they did not. */
  readonly order: readonly string[] | null;
  /** Entries that are new or changed otherwise than by `append`. */
  readonly put: readonly EntryView[];
  readonly append: readonly Append[];
}

/** The entries of a conversation: those travel that changed, and of a text that grows only what is new. */
export const ENTRIES: Member<readonly EntryView[], EntryChanges> = { diff, apply };

function diff(before: readonly EntryView[], after: readonly EntryView[]): EntryChanges | undefined {
  const known = new Map(before.map((entry) => [entry.id, entry]));
  const put: EntryView[] = [];
  const append: Append[] = [];
  for (const entry of after) {
    const old = known.get(entry.id);
    const grown = old === undefined ? null : appendOf(old, entry);
    if (grown !== null) {
      append.push(...grown);
    } else {
      put.push(entry);
    }
  }
  const order = sameOrder(before, after) ? null : after.map((entry) => entry.id);
  return order === null && put.length === 0 && append.length === 0 ? undefined : { order, put, append };
}

function apply(before: readonly EntryView[], changes: EntryChanges): readonly EntryView[] {
  const byId = new Map(before.map((entry) => [entry.id, entry]));
  for (const entry of changes.put) {
    byId.set(entry.id, entry);
  }
  const order = changes.order ?? before.map((entry) => entry.id);
  checkPlaces(changes.put, order);
  for (const id of new Set(changes.append.map(({ entryId }) => entryId))) {
    const appends = changes.append.filter(({ entryId }) => entryId === id);
    byId.set(id, appended(byId.get(id), appends));
  }
  return order.map((id) => {
    const entry = byId.get(id);
    if (entry === undefined) {
      throw new Error(`The delta orders the unknown entry ${id}`);
    }
    return entry;
  });
}

/** A new entry comes with the order that has its place. */
function checkPlaces(put: readonly EntryView[], order: readonly string[]): void {
  const places = new Set(order);
  const lost = put.find((entry) => !places.has(entry.id));
  if (lost !== undefined) {
    throw new Error(`The delta changes the unknown entry ${lost.id}`);
  }
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
