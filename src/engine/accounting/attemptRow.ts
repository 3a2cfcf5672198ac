import { inputParts, type CacheParts } from '../model/inputParts.js';
import type { AttemptState } from '../chat/slices/attempts.js';
import type { ChatState } from '../chat/state.js';
import { isCatalogType, itemKey } from '../record/item.js';
import type { Pause } from '../ports.js';
import { contextKey } from '../request/gather.js';
import type { ManifestContent } from '../record/manifest.js';
import { ManifestContents } from '../request/manifestContents.js';
import { requestsOf } from '../chat/ledger.js';
import { requestHeld, type RequestHeld } from './requestHeld.js';
import { attemptPlaces, attemptUsage, sideUsage, type AttemptUsage } from './attemptUsage.js';

/** A catalog item in a request. `tokens` is Loupe's count, not the provider's. */
export interface ItemUse {
  readonly key: string;
  readonly isCut: boolean;
  readonly tokens: number;
  /** The item's tokens as cache read, cache write and uncached input; null when unknown. */
  readonly parts: CacheParts | null;
}

export interface RequestItems {
  /** Tokens of all blocks of the request, as counted by Loupe. */
  readonly counted: number;
  readonly items: readonly ItemUse[];
}

/** An attempt of a chat, with its usage and the content of its request, for views of all chats. Plain JSON. */
export interface AttemptRow extends AttemptUsage {
  /** Null for attempts that are not for replies, and when the manifest cannot be read. */
  readonly request: RequestItems | null;
  /** Numbers about the request's content. Null for requests outside of runs, and when the manifest cannot be read. */
  readonly held: RequestHeld | null;
}

/** Number of manifests to read before a pause for other work. 100 large manifests take some milliseconds. */
const READ_AT_ONCE = 100;

/**
 * Returns the rows of a chat's attempts and side requests. `known` has the rows of an earlier call, by id. Loupe reuses
 * a known row, and updates `isDiscarded` in it if the run of the attempt is loaded. Null when the chat is not fully
 * loaded and `known` has too few rows.
 */
export async function attemptRows(
  state: ChatState,
  known: ReadonlyMap<string, AttemptRow>,
  pause: Pause,
): Promise<readonly AttemptRow[] | null> {
  const isLoaded = (id: string): boolean => state.attempts.has(id) || state.sideRequests.has(id);
  const rows = new Map(state.extent === 'whole' ? [] : [...known].filter(([id]) => !isLoaded(id)));
  if (state.extent === 'end' && (requestsIn(rows) !== state.earlier.totals.attempts || lacksRow(state, known))) {
    return null;
  }
  const contents = new ManifestContents(state.attempts);
  const places = attemptPlaces(state);
  let unread = 0;
  for (const attempt of state.attempts.values()) {
    const before = known.get(attempt.id);
    const isOfPart = isRunLoaded(attempt, state);
    const usage = attemptUsage(attempt, places);
    if (usage === null) {
      continue;
    }
    if (before !== undefined && isSameEnd(before, usage)) {
      rows.set(attempt.id, isOfPart ? { ...before, isDiscarded: usage.isDiscarded } : before);
      continue;
    }
    unread += 1;
    if (unread % READ_AT_ONCE === 0) {
      await pause();
    }
    rows.set(attempt.id, { ...usage, ...recordOf(attempt, contents) });
  }
  for (const made of state.sideRequests.values()) {
    rows.set(made.id, { ...sideUsage(made), request: null, held: null });
  }
  return [...rows.values()];
}

function recordOf(attempt: AttemptState, contents: ManifestContents): Pick<AttemptRow, 'request' | 'held'> {
  const content = contents.of(attempt);
  return content === null
    ? { request: null, held: null }
    : { request: attempt.purpose === 'reply' ? itemsIn(content, attempt) : null, held: requestHeld(content) };
}

function requestsIn(rows: ReadonlyMap<string, AttemptRow>): number {
  return [...rows.values()].reduce((sum, row) => sum + requestsOf(row), 0);
}

/** Whether an attempt has no row in `known` and no loaded run. Only the run shows if the reply was discarded. */
function lacksRow(state: ChatState, known: ReadonlyMap<string, AttemptRow>): boolean {
  return [...state.attempts.values()].some((each) => each.inheritedFrom === null && !isRunLoaded(each, state) && !known.has(each.id));
}

function isRunLoaded({ runId }: AttemptState, { runs }: ChatState): boolean {
  return runId !== null && runs.has(runId);
}

/** False when a window logged the attempt's real end after another VS Code window had logged an interruption. */
function isSameEnd(before: AttemptUsage, now: AttemptUsage): boolean {
  return (before.usage === null) === (now.usage === null) && before.isUnbilled === now.isUnbilled;
}

function itemsIn({ blocks, context }: Pick<ManifestContent, 'blocks' | 'context'>, { end }: AttemptState): RequestItems {
  const tokens = blocks.map((block) => block.tokens);
  const usage = end?.usage ?? null;
  const parts = usage === null ? null : inputParts(tokens, usage);
  const counted = tokens.reduce((sum, each) => sum + each, 0);
  const uses = context.flatMap(({ item, leftOut, cut }): ItemUse[] => {
    if (leftOut !== null || !isCatalogType(item.type)) {
      return [];
    }
    const key = itemKey(item);
    return [{ key, isCut: cut !== undefined, tokens: 0, parts: parts === null ? null : { read: 0, written: 0, fresh: 0 } }];
  });
  const byKey = new Map(uses.map((use) => [use.key, use]));
  for (const [at, block] of blocks.entries()) {
    const use = block.item === null ? undefined : byKey.get(contextKey(block.item));
    if (use !== undefined) {
      byKey.set(use.key, { ...use, tokens: use.tokens + block.tokens, parts: sum(use.parts, parts?.[at] ?? null) });
    }
  }
  return { counted, items: [...byKey.values()] };
}

function sum(a: CacheParts | null, b: CacheParts | null): CacheParts | null {
  return a === null || b === null ? null : { read: a.read + b.read, written: a.written + b.written, fresh: a.fresh + b.fresh };
}
