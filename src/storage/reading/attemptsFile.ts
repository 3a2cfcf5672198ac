import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { attemptRows, type AttemptRow, type ItemUse, type RequestItems } from '../../engine/accounting/attemptRow.js';
import { HELD_FIGURES, heldFigures, heldOf } from '../../engine/accounting/requestHeld.js';
import type { ChatState } from '../../engine/chat/state.js';
import { failure } from '../../engine/errors.js';
import type { ReadPosition } from '../log/logMerge.js';
import { readRecords, writeRecords } from '../files/record.js';
import type { RestorePoint } from './restorePoint.js';

/*
 * The rows of a chat's attempts, which views of all chats read without its log: a record with a fingerprint, then pages of
 * rows. Requests in a row mostly hold the same items, so each list of items is written once in a page.
 */

/** Rows of a page: some milliseconds to write or read. */
const PAGE_ROWS = 500;

interface Head {
  readonly fingerprint: string;
  readonly read: readonly (readonly [writer: string, bytes: number])[];
  readonly pages: number;
}

/** Of an item: index of its key, 1 where it was cut, tokens; then, where it is known, those read, written and fresh. */
type UseValue =
  | readonly [key: number, isCut: 0 | 1, tokens: number]
  | readonly [key: number, isCut: 0 | 1, tokens: number, read: number, written: number, fresh: number];

interface Page {
  readonly keys: readonly string[];
  readonly lists: readonly (readonly UseValue[])[];
  readonly rows: readonly (Omit<AttemptRow, 'request' | 'held'> & {
    readonly request: readonly [counted: number, list: number] | null;
    readonly held: readonly number[] | null;
  })[];
}

/** The log that rows were made from. */
export interface RowsLog {
  readonly fingerprint: string;
  /** By writer: how many bytes of its segment. */
  readonly read: ReadonlyMap<string, number>;
}

/** Of a segment that could not be read, no byte was. */
export function bytesRead(position: ReadPosition): RowsLog['read'] {
  return new Map([...position].map(([writer, mark]) => [writer, mark?.end.offset ?? 0]));
}

export interface KeptAttempts extends RowsLog {
  /** By id. */
  readonly rows: ReadonlyMap<string, AttemptRow>;
}

const FILE = 'attempts.json';

const NOTHING_KEPT: KeptAttempts = { fingerprint: '', read: new Map(), rows: new Map() };

/** Empty without a file, and for a damaged one, or one of another version: the log holds it all, too. */
export async function readAttempts(folder: string): Promise<KeptAttempts> {
  // The checksums and the version vouch for the shape, but for what another build of this version may have left out.
  const [head, ...pages] = ((await readRecords(join(folder, FILE), setImmediate)) ?? []) as readonly [Head, ...Page[]] | readonly [];
  if (head?.pages !== pages.length || !pages.every(isWhole)) {
    return NOTHING_KEPT;
  }
  const rows = pages.flatMap(rowsOf);
  return { fingerprint: head.fingerprint, read: new Map(head.read), rows: new Map(rows.map((row) => [row.id, row])) };
}

/** Never makes the folder, so that a deleted chat does not come back. Throws Node's system errors. */
export function writeAttempts(folder: string, { fingerprint, read }: RowsLog, rows: readonly AttemptRow[]): Promise<void> {
  const pages = Array.from({ length: Math.ceil(rows.length / PAGE_ROWS) }, (_, at) => rows.slice(at * PAGE_ROWS, (at + 1) * PAGE_ROWS));
  const head: Head = { fingerprint, read: [...read], pages: pages.length };
  return writeRecords(join(folder, FILE), recordsOf(head, pages), setImmediate);
}

/** Each made when it is its turn. */
function* recordsOf(head: Head, pages: readonly (readonly AttemptRow[])[]): Generator<Head | Page> {
  yield head;
  for (const page of pages) {
    yield pageOf(page);
  }
}

/**
 * The rows of a state that was read from `start` on. Where it is not whole, the rest is in the file, if that knows all of the log up
 * to `start`: what was discarded there is in no event behind it. Else it takes the rows of the `whole` chat.
 */
export async function attemptsOf(
  state: ChatState,
  start: RestorePoint | null,
  folder: string,
  whole: () => Promise<ChatState>,
): Promise<readonly AttemptRow[]> {
  const { read, rows } = await readAttempts(folder);
  const knowsStart = [...(start?.position ?? [])].every(([writer, { end }]) => end.offset <= (read.get(writer) ?? 0));
  const part = knowsStart ? await attemptRows(state, rows, setImmediate) : null;
  const all = part ?? (await attemptRows(await whole(), rows, setImmediate));
  if (all === null) {
    throw failure('internal.defect', { text: 'A log that was read whole is not whole.' });
  }
  return all;
}

function pageOf(rows: readonly AttemptRow[]): Page {
  const [keys, lists] = [new Map<string, number>(), new Map<string, number>()];
  const written = rows.map(({ request, held, ...row }) => {
    const list = request === null ? null : JSON.stringify(request.items.map((use) => useValue(use, indexIn(keys, use.key))));
    const figures = held === null ? null : heldFigures(held);
    return {
      ...row,
      request: request === null || list === null ? null : ([request.counted, indexIn(lists, list)] as const),
      held: figures,
    };
  });
  const values = [...lists.keys()].map((list) => JSON.parse(list) as readonly UseValue[]);
  return { keys: [...keys.keys()], lists: values, rows: written };
}

/** Whether all figures are there: one that is missing is unknown, not 0. */
function isWhole({ keys, lists, rows }: Page): boolean {
  const isUse = (use: readonly number[]): boolean =>
    (use.length === 3 || use.length === 6) && use.every(Number.isFinite) && keys[use[0] ?? -1] !== undefined;
  const isHeld = (held: readonly number[] | null): boolean =>
    held === null || (held.length === HELD_FIGURES && held.every(Number.isFinite));
  return (
    lists.every((list) => list.every(isUse)) &&
    rows.every(({ request, held }) => (request === null || lists[request[1]] !== undefined) && isHeld(held))
  );
}

function rowsOf({ keys, lists: values, rows }: Page): readonly AttemptRow[] {
  const lists = values.map((list) => list.map((use) => useOf(use, keys)));
  // Changed in place: the copy that a spread makes takes four times as long to read, and views read tens of thousands.
  return rows.map((row) =>
    Object.assign(row, {
      request: row.request === null ? null : requestOf(row.request, lists),
      held: row.held === null ? null : heldOf(row.held),
    }),
  );
}

/** The index of a text among those so far, which it joins. */
function indexIn(texts: Map<string, number>, text: string): number {
  const index = texts.get(text) ?? texts.size;
  texts.set(text, index);
  return index;
}

function useValue({ isCut, tokens, parts }: ItemUse, key: number): UseValue {
  const use = [key, isCut ? 1 : 0, tokens] as const;
  return parts === null ? use : [...use, parts.read, parts.written, parts.fresh];
}

function useOf(use: UseValue, keys: readonly string[]): ItemUse {
  const [key, isCut, tokens] = use;
  const parts = use.length === 3 ? null : { read: use[3], written: use[4], fresh: use[5] };
  return { key: known(keys[key]), isCut: isCut === 1, tokens, parts };
}

function requestOf([counted, list]: readonly [number, number], lists: readonly (readonly ItemUse[])[]): RequestItems {
  return { counted, items: known(lists[list]) };
}

/** What `isWhole` has found. */
function known<T>(value: T | undefined): T {
  if (value === undefined) {
    throw new TypeError('A page of attempts names what it does not have.');
  }
  return value;
}
