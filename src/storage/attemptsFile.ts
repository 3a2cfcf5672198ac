import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { attemptRows, type AttemptRow, type ItemUse, type RequestItems } from '../engine/accounting/attemptRow.js';
import type { ChatState } from '../engine/chat/state.js';
import { failure } from '../engine/errors.js';
import { readRecord, writeRecord } from './record.js';

/*
 * The rows of a chat's attempts, which views of all chats read without its log. Requests in a row mostly hold the same
 * items, so each list of items is written once.
 */

/** Of an item: index of its key, 1 where it was cut, tokens; then, where it is known, those read, written and fresh. */
type UseValue = readonly number[];

interface AttemptsValue {
  readonly fingerprint: string;
  readonly keys: readonly string[];
  readonly lists: readonly (readonly UseValue[])[];
  readonly rows: readonly (Omit<AttemptRow, 'request'> & { readonly request: readonly [counted: number, list: number] | null })[];
}

/** The rows, and the fingerprint of the log that they were made from. */
export interface KeptAttempts {
  readonly fingerprint: string;
  /** By id. */
  readonly rows: ReadonlyMap<string, AttemptRow>;
}

const FILE = 'attempts.json';

const NOTHING_KEPT: KeptAttempts = { fingerprint: '', rows: new Map() };

/** Empty without a file, and for a damaged one, or one of another version: the log holds it all, too. */
export async function readAttempts(folder: string): Promise<KeptAttempts> {
  // The checksum and the version vouch for the shape.
  const value = (await readRecord(join(folder, FILE))) as AttemptsValue | null;
  if (value === null) {
    return NOTHING_KEPT;
  }
  const lists = value.lists.map((list) => list.map((use) => useOf(use, value.keys)));
  const rows = value.rows.map(
    ({ request, ...row }): AttemptRow => ({ ...row, request: request === null ? null : requestOf(request, lists) }),
  );
  return { fingerprint: value.fingerprint, rows: new Map(rows.map((row) => [row.id, row])) };
}

/** Never makes the folder, so that a deleted chat does not come back. Throws Node's system errors. */
export function writeAttempts(folder: string, fingerprint: string, rows: readonly AttemptRow[]): Promise<void> {
  const [keys, lists] = [new Map<string, number>(), new Map<string, number>()];
  const written = rows.map(({ request, ...row }) => {
    const list = request === null ? null : JSON.stringify(request.items.map((use) => useValue(use, indexIn(keys, use.key))));
    return { ...row, request: request === null || list === null ? null : ([request.counted, indexIn(lists, list)] as const) };
  });
  const value: AttemptsValue = {
    fingerprint,
    keys: [...keys.keys()],
    lists: [...lists.keys()].map((list) => JSON.parse(list) as readonly UseValue[]),
    rows: written,
  };
  return writeRecord(join(folder, FILE), value);
}

/** The rows of a state. Where it is not whole, the rest is in the file; else it takes those of the `whole` chat. */
export async function attemptsOf(state: ChatState, folder: string, whole: () => Promise<ChatState>): Promise<readonly AttemptRow[]> {
  const { rows } = await readAttempts(folder);
  const all = (await attemptRows(state, rows, setImmediate)) ?? (await attemptRows(await whole(), rows, setImmediate));
  if (all === null) {
    throw failure('internal.defect', { text: 'A log that was read whole is not whole.' });
  }
  return all;
}

/** The index of a text among those so far, which it joins. */
function indexIn(texts: Map<string, number>, text: string): number {
  const index = texts.get(text) ?? texts.size;
  texts.set(text, index);
  return index;
}

function useValue({ isCut, tokens, parts }: ItemUse, key: number): UseValue {
  return [key, isCut ? 1 : 0, tokens, ...(parts === null ? [] : [parts.read, parts.written, parts.fresh])];
}

function useOf([key = -1, cut, tokens = 0, read, written = 0, fresh = 0]: UseValue, keys: readonly string[]): ItemUse {
  return { key: keys[key] ?? '', isCut: cut === 1, tokens, parts: read === undefined ? null : { read, written, fresh } };
}

function requestOf([counted, list]: readonly [number, number], lists: readonly (readonly ItemUse[])[]): RequestItems {
  return { counted, items: lists[list] ?? [] };
}
