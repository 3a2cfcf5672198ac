import { sameValue, type Member } from '../viewState.js';
import type { EntryView, PartView } from './entries.js';

/** New text of a streaming entry, sent many times per second: text to add to the end of a part, or a new last part. */
export type EntryAppend =
  | {
      readonly entryId: string;
      readonly part: number;
      /** Length of the part's text or arguments before this text is added, in UTF-16 units. */
      readonly offset: number;
      readonly text: string;
    }
  | { readonly entryId: string; readonly part: number; readonly begins: PartView };

export interface EntryChanges {
  /** Ids of all entries in order. Null if no entry was added, removed or moved. */
  readonly order: readonly string[] | null;
  /** New entries, and changed entries for which an append is not enough. */
  readonly put: readonly EntryView[];
  readonly append: readonly EntryAppend[];
}

/** How the entries of a conversation are sent: only changed entries, and for streaming entries only new text. */
export const ENTRIES: Member<readonly EntryView[], EntryChanges> = { diff, apply };

function diff(before: readonly EntryView[], after: readonly EntryView[]): EntryChanges | undefined {
  const known = new Map(before.map((entry) => [entry.id, entry]));
  const put: EntryView[] = [];
  const append: EntryAppend[] = [];
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

/** Throws if an entry of `put` is missing in `order`. A new entry is always sent with a new order. */
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

/** Returns the appends that turn `old` into `entry`. Empty if they are equal. Null if appends are not enough. */
function appendOf(old: EntryView, entry: EntryView): EntryAppend[] | null {
  if (old === entry) {
    return [];
  }
  if (old.kind !== 'assistant' || entry.kind !== 'assistant' || old.parts.length > entry.parts.length) {
    return sameValue(old, entry) ? [] : null;
  }
  if (!sameValue({ ...old, parts: [] }, { ...entry, parts: [] })) {
    return null;
  }
  const appends: EntryAppend[] = [];
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

/** Returns the text that was added to the end of a part: '' if the parts are equal, null for any other change. */
function growth(before: PartView, after: PartView): string | null {
  if (before === after) {
    return '';
  }
  const [shorter, longer] = [textOf(before), textOf(after)];
  const isGrown = longer.startsWith(shorter) && sameValue(withText(before, ''), withText(after, ''));
  return isGrown ? longer.slice(shorter.length) : null;
}

/** Returns the text of a part that grows. Empty for an image, which arrives whole. */
function textOf(part: PartView): string {
  switch (part.type) {
    case 'toolCall':
      return part.args;
    case 'image':
      return '';
    case 'text':
    case 'reasoning':
      return part.text;
  }
}

function withText(part: PartView, text: string): PartView {
  switch (part.type) {
    case 'toolCall':
      return { ...part, args: text };
    case 'image':
      return part;
    case 'text':
    case 'reasoning':
      return { ...part, text };
  }
}

/** Applies all appends of an entry together, so that its parts are copied only once. */
function appended(entry: EntryView | undefined, appends: readonly EntryAppend[]): EntryView {
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
