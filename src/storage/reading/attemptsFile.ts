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
 * The rows of a chat's attempts. Views that show all chats read this file, not the log. The file has a record with a
 * fingerprint, then pages of rows. Most requests contain the same items, so a page has each list of items only once.
 */

/** Rows per page. A page takes some milliseconds to write or read. */
const PAGE_ROWS = 500;

interface RowsHead {
  readonly fingerprint: string;
  readonly read: readonly (readonly [writer: string, bytes: number])[];
  readonly pages: number;
}

/** An item: index of its key, 1 if cut, tokens. If known, the tokens of cache read, cache write and uncached. */
type UseValue =
  | readonly [key: number, isCut: 0 | 1, tokens: number]
  | readonly [key: number, isCut: 0 | 1, tokens: number, read: number, written: number, fresh: number];

interface RowsPage {
  readonly keys: readonly string[];
  readonly lists: readonly (readonly UseValue[])[];
  readonly rows: readonly (Omit<AttemptRow, 'request' | 'held'> & {
    readonly request: readonly [counted: number, list: number] | null;
    readonly held: readonly number[] | null;
  })[];
}

/** The state of the log from which rows were derived. */
export interface RowsLog {
  readonly fingerprint: string;
  /** The number of bytes read from each segment, by writer. */
  readonly read: ReadonlyMap<string, number>;
}

/** Returns the bytes read per segment; 0 for an unreadable segment. */
export function bytesRead(position: ReadPosition): RowsLog['read'] {
  return new Map([...position].map(([writer, mark]) => [writer, mark?.end.offset ?? 0]));
}

export interface KeptAttempts extends RowsLog {
  readonly rows: ReadonlyMap<string, AttemptRow>;
}

const FILE = 'attempts.json';

const NOTHING_KEPT: KeptAttempts = { fingerprint: '', read: new Map(), rows: new Map() };

/** Returns the rows. Empty when the file is missing, damaged or of another version: the log has the same data. */
export async function readAttempts(folder: string): Promise<KeptAttempts> {
  // Checksums and version guarantee the shape, but another build of this version may have written other members.
  const [head, ...pages] = ((await readRecords(join(folder, FILE), setImmediate)) ?? []) as
    | readonly [RowsHead, ...RowsPage[]]
    | readonly [];
  if (head?.pages !== pages.length || !pages.every(isWhole)) {
    return NOTHING_KEPT;
  }
  const rows = pages.flatMap(rowsOf);
  return { fingerprint: head.fingerprint, read: new Map(head.read), rows: new Map(rows.map((row) => [row.id, row])) };
}

/** Writes the file. Does not create the folder, so that a deleted chat stays deleted. Throws Node's system errors. */
export function writeAttempts(folder: string, { fingerprint, read }: RowsLog, rows: readonly AttemptRow[]): Promise<void> {
  const pages = Array.from({ length: Math.ceil(rows.length / PAGE_ROWS) }, (_, at) => rows.slice(at * PAGE_ROWS, (at + 1) * PAGE_ROWS));
  const head: RowsHead = { fingerprint, read: [...read], pages: pages.length };
  return writeRecords(join(folder, FILE), recordsOf(head, pages), setImmediate);
}

function* recordsOf(head: RowsHead, pages: readonly (readonly AttemptRow[])[]): Generator<RowsHead | RowsPage> {
  yield head;
  for (const page of pages) {
    yield pageOf(page);
  }
}

/**
 * Returns the rows of the attempts of a chat whose log was read from `start`. The rows of earlier attempts come from
 * the file. If the file does not cover the log up to `start`, `whole` reads the whole chat.
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

function pageOf(rows: readonly AttemptRow[]): RowsPage {
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

/** Whether a page has all figures. If another build of this version wrote fewer figures, the file is not used. */
function isWhole({ keys, lists, rows }: RowsPage): boolean {
  const isUse = (use: readonly number[]): boolean =>
    (use.length === 3 || use.length === 6) && use.every(Number.isFinite) && keys[use[0] ?? -1] !== undefined;
  const isHeld = (held: readonly number[] | null): boolean =>
    held === null || (held.length === HELD_FIGURES && held.every(Number.isFinite));
  return (
    lists.every((list) => list.every(isUse)) &&
    rows.every(({ request, held }) => (request === null || lists[request[1]] !== undefined) && isHeld(held))
  );
}

function rowsOf({ keys, lists: values, rows }: RowsPage): readonly AttemptRow[] {
  const lists = values.map((list) => list.map((use) => useOf(use, keys)));
  // Changes the rows in place. To copy them takes four times as long, and views read tens of thousands of rows.
  return rows.map((row) =>
    Object.assign(row, {
      request: row.request === null ? null : requestOf(row.request, lists),
      held: row.held === null ? null : heldOf(row.held),
    }),
  );
}

/** Returns the index of a text in the list, and adds it if it is new. */
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
  return { key: checkedValue(keys[key]), isCut: isCut === 1, tokens, parts };
}

function requestOf([counted, list]: readonly [number, number], lists: readonly (readonly ItemUse[])[]): RequestItems {
  return { counted, items: checkedValue(lists[list]) };
}

function checkedValue<T>(value: T | undefined): T {
  if (value === undefined) {
    throw new TypeError('A page of attempts refers to a missing entry.');
  }
  return value;
}
