import type { Json, JsonObject } from '../../json.js';
import type { ContextItemType } from '../../record/item.js';
import { type Atoms, atomsOf, textBetween } from './atoms.js';
import { nameTree, namesIn, type NameTree, type FoundName } from './names.js';
import { type QuotableText, QuotedRuns } from './quotes.js';

/** An item of a request whose use in a reply can be found. */
export interface UsableItem {
  readonly key: string;
  readonly type: ContextItemType;
  /** The path of a file, the address of a page, the name by which models call a tool, or the name of another item. */
  readonly name: string;
  /** The item's own text, to find quotes. Null if the text is unknown. */
  readonly text: QuotableText | null;
}

/** What a model wrote, and what its tools changed: of one message, or of a whole turn. */
export interface UsingReply {
  readonly texts: readonly string[];
  readonly calls: readonly { readonly name: string; readonly rawArgs: string; readonly args: JsonObject | null }[];
  /** Paths of the files that tools changed. */
  readonly edited: readonly string[];
}

/** How a reply uses an item, in the order of lists. `cited`: with a line, as a link, or by the address of a page. */
export const USES = ['edited', 'called', 'cited', 'quoted', 'named'] as const;

/** One way in which a reply uses an item. `where`: the first part of the reply that shows this. */
export interface ItemUse {
  readonly how: (typeof USES)[number];
  readonly where: string;
}

/** Matches the target of a Markdown link. A search for escapes in the same expression would need quadratic time. */
const LINK = /\]\(<?([^()\s<>]+)>?\)/g;
const ESCAPE = /%[0-9A-Fa-f]{2}/;

/**
 * Returns how a reply uses each item, by key. Only from words that the reply or its tool calls contain, so an item that
 * is missing here may still have had an effect. Needs time in proportion to the texts.
 */
export function itemUses(items: readonly UsableItem[], { texts, calls, edited }: UsingReply): ReadonlyMap<string, readonly ItemUse[]> {
  const uses = new Map<string, ItemUse[]>();
  const add = (key: string, use: ItemUse): void => {
    const own = uses.get(key) ?? [];
    if (own.every(({ how }) => how !== use.how)) {
      uses.set(key, [...own, use]);
    }
  };
  const changed = new Set(edited.map((path) => path.normalize('NFC')));
  for (const { key, type, name } of items) {
    if (type === 'file' && changed.has(name.normalize('NFC'))) {
      add(key, { how: 'edited', where: name });
    }
  }
  addCalls(items, calls, add);
  const tree = nameTree(namesOf(items));
  const written = texts.map(atomsOf);
  for (const source of [...written, ...linksIn(texts)]) {
    addNames(source, tree, add);
  }
  for (const text of calls.flatMap(({ args }) => stringsIn(args))) {
    addNames(atomsOf(text), tree, (key, { where }) => {
      add(key, { how: 'named', where });
    });
  }
  addQuotes(items, written, add);
  return new Map([...uses].map(([key, own]) => [key, own.toSorted((a, b) => USES.indexOf(a.how) - USES.indexOf(b.how))]));
}

function addQuotes(items: readonly UsableItem[], written: readonly Atoms[], add: AddUse): void {
  const quotable = items.flatMap(({ key, text }) => (text === null ? [] : [{ key, text }]));
  const runs = new QuotedRuns(quotable.length === 0 ? [] : written);
  for (const { key, text } of quotable) {
    const where = runs.find(text);
    if (where !== null) {
      add(key, { how: 'quoted', where });
    }
  }
}

type AddUse = (key: string, use: ItemUse) => void;

function addCalls(items: readonly UsableItem[], calls: UsingReply['calls'], add: AddUse): void {
  const first = new Map<string, string>();
  for (const { name, rawArgs } of calls) {
    first.set(name, first.get(name) ?? `${name} ${rawArgs}`.trim());
  }
  for (const { key, type, name } of items) {
    const where = type === 'tool' ? first.get(name) : undefined;
    if (where !== undefined) {
      add(key, { how: 'called', where });
    }
  }
}

function addNames(source: Atoms, tree: NameTree, add: AddUse): void {
  for (const found of namesIn(source, tree)) {
    const cited = citationEnd(source, found);
    const how = cited !== null || found.isAddress ? 'cited' : 'named';
    const where = textBetween(source, found.from, cited ?? found.to);
    for (const key of found.keys) {
      add(key, { how, where });
    }
  }
}

/**
 * Returns the names of items with their keys: whole paths and names, and the last part of a path if it has an extension
 * and no other item has it.
 */
function namesOf(items: readonly UsableItem[]): readonly (readonly [name: string, key: string])[] {
  const owners = new Map<string, Set<string>>();
  const named = items.filter(({ type }) => type !== 'tool').map((item) => ({ ...item, name: item.name.normalize('NFC') }));
  for (const { name } of named) {
    const base = baseOf(name);
    owners.set(base, (owners.get(base) ?? new Set()).add(name));
  }
  return named.flatMap(({ key, type, name }) => {
    const base = baseOf(name);
    const isUnique = owners.get(base)?.size === 1;
    if (base === name) {
      return isUnique ? [[name, key] as const] : [[`./${name}`, key] as const];
    }
    return type === 'file' && isUnique && hasExtension(base)
      ? ([
          [name, key],
          [base, key],
        ] as const)
      : [[name, key] as const];
  });
}

function baseOf(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

function hasExtension(base: string): boolean {
  return /\.[^.\s]*\p{L}[^.\s]*$/u.test(base);
}

/** Returns the escaped targets of Markdown links as links without escapes. */
function linksIn(texts: readonly string[]): readonly Atoms[] {
  return texts.flatMap((text) =>
    [...text.matchAll(LINK)].flatMap((link) => {
      const target = link[1] ?? '';
      if (!ESCAPE.test(target)) {
        return [];
      }
      try {
        return [atomsOf(`](${decodeURIComponent(target)})`)];
      } catch {
        // Not an escaped text, so the link has been searched as it is.
        return [];
      }
    }),
  );
}

function stringsIn(value: Json): readonly string[] {
  if (typeof value === 'string') {
    return [value];
  }
  return value === null || typeof value !== 'object' ? [] : Object.values(value as JsonObject).flatMap(stringsIn);
}

const NUMBER = /^\d+$/;
const LINE_ANCHOR = /^L?\d+(?:C\d+)?$/;
const RANGE = new Set(['-', '–', ':']);

/** Returns the end of a place in a file: `a.ts:12`, `a.ts#L12-L20`, `a.ts(12)` or `a.ts, line 12`. Null without one. */
function citationEnd({ atoms }: Atoms, { from, to }: FoundName): number | null {
  return lineEnd(atoms, to) ?? (atoms[from - 1] === '(' && atoms[from - 2] === ']' ? to : null);
}

function lineEnd(atoms: Atoms['atoms'], to: number): number | null {
  const [mark, line = ''] = [atoms[to], atoms[to + 1]];
  if (mark === ':' && NUMBER.test(line)) {
    return rangeEnd(atoms, to + 2, NUMBER);
  }
  if (mark === '#' && LINE_ANCHOR.test(line)) {
    return rangeEnd(atoms, to + 2, LINE_ANCHOR);
  }
  if (mark === '(' && NUMBER.test(line)) {
    const rest = atoms.slice(to + 2, to + 5);
    const end = rest.indexOf(')');
    return end !== -1 && rest.slice(0, end).every((atom) => atom === ',' || NUMBER.test(atom)) ? to + 3 + end : null;
  }
  return wordedEnd(atoms, mark === ',' ? to + 1 : to);
}

/** Returns the end of `12-20` or `12:5`, after the first number. */
function rangeEnd(atoms: Atoms['atoms'], to: number, number: RegExp): number {
  return RANGE.has(atoms[to] ?? '') && number.test(atoms[to + 1] ?? '') ? to + 2 : to;
}

/** Returns the end of ` line 12`. */
function wordedEnd(atoms: Atoms['atoms'], at: number): number | null {
  const isWorded = atoms[at] === ' ' && /^lines?$/.test(atoms[at + 1] ?? '') && atoms[at + 2] === ' ' && NUMBER.test(atoms[at + 3] ?? '');
  return isWorded ? rangeEnd(atoms, at + 4, NUMBER) : null;
}
