/*
 * The part of a request after tools and system prompt, as the adaptive layout plans it. The part contains the units of
 * the conversation and, between the units, copies of context items and their changes. The plan contains no texts, so it
 * is cheap to make, and a benchmark can compare it with other chat clients.
 */

import type { ExclusionTime } from '../../../chat/slices/marks.js';

export interface UnitCall {
  /** Index of the call among the parts of its reply. */
  readonly part: number;
  /** When the call and its result are removed. Null when the request keeps them. */
  readonly removal: ExclusionTime | null;
  /** Tokens of the call and its result. 0 when the request keeps them. */
  readonly tokens: number;
}

/** A part of the conversation that stays together: a user message, or a reply with the results of its calls. */
export interface Unit {
  readonly key: string;
  readonly isUser: boolean;
  /** Whether a request can contain nothing of the unit, such as a reply stopped during its reasoning. */
  readonly mayBeEmpty: boolean;
  readonly calls: readonly UnitCall[];
  /** Tokens of the unit without its calls, if all its calls are removed. 0 when a call is kept. */
  readonly remaining: number;
  /** Tokens that a rebuild of the prompt saves by sending references instead of results. */
  readonly shrinks: number;
  /** Id of the excluded turn that contains the unit. Null when the unit is not excluded. */
  readonly excludedWith: string | null;
  /** Whether this request removes the unit, even if the units after it are written to the cache again. */
  readonly isRemovedNow: boolean;
}

/** An item of the context that the next request must contain: a file, a rule, a reference. */
export interface Item {
  readonly key: string;
  /** Identifies the content of the item: equal versions, equal contents. */
  readonly version: string;
  readonly tokens: number;
  /** Returns the tokens of the change since another version. Null when a full copy is needed. */
  readonly tokensSince: (version: string) => number | null;
  /**
   * Where a request places a new entry of the item:
   * - `context`: with the context, at the end of the cached text.
   * - `pick`: directly before the newest user message, for which Loupe picked the item.
   * - `workspace`: after the newest user message.
   * - `workspaceEnd`: there too, but only if the request still has an entry of the item, which this entry revokes.
   */
  readonly place: 'context' | 'pick' | 'workspace' | 'workspaceEnd';
}

export interface UnitEntry {
  readonly kind: 'unit';
  readonly key: string;
  /** Indices of the parts of the message that were sent. Loupe uses only the indices of tool calls. */
  readonly parts: ReadonlySet<number>;
}

/** A copy of an item, or its change since the previous entry of the same item. */
export interface ItemEntry {
  readonly kind: 'copy' | 'change';
  readonly key: string;
  readonly version: string;
  readonly tokens: number;
}

export type Entry = UnitEntry | ItemEntry;

export type SentEntry = (UnitEntry & { readonly tokens: number }) | ItemEntry;

export interface ItemState {
  readonly version: string;
  /** Tokens of the last copy of the item. */
  readonly copy: number;
  /** Tokens of the changes since that copy. */
  readonly changes: number;
}

export function itemStates(entries: readonly Entry[]): ReadonlyMap<string, ItemState> {
  const told = new Map<string, ItemState>();
  for (const entry of entries) {
    if (entry.kind === 'copy') {
      told.set(entry.key, { version: entry.version, copy: entry.tokens, changes: 0 });
    } else if (entry.kind === 'change') {
      const before = told.get(entry.key) ?? { copy: 0, changes: 0 };
      told.set(entry.key, { version: entry.version, copy: before.copy, changes: before.changes + entry.tokens });
    }
  }
  return told;
}
