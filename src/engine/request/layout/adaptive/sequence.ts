/*
 * The part of a request after tools and system prompt, as the adaptive layout plans it: the units of the conversation,
 * and between them copies of context items and their changes. It has no texts and no messages. So a plan is cheap, and
 * can be compared with those of other clients.
 */

import type { ExclusionTime } from '../../../chat/slices/marks.js';

export interface UnitCall {
  /** Index of the part in its reply. */
  readonly part: number;
  /** When it should leave, with its result; null when it stays. */
  readonly removal: ExclusionTime | null;
  /** Tokens of the call and its result; 0 when it stays. */
  readonly tokens: number;
}

/** A part of the conversation that stays together: a user message, or a reply with the results of its calls. */
export interface Unit {
  readonly key: string;
  readonly isUser: boolean;
  /** Whether it may be empty in a request, such as a reply that was stopped while the model was thinking. */
  readonly mayBeEmpty: boolean;
  readonly calls: readonly UnitCall[];
  /** Tokens that remain when all its calls leave; 0 when a call stays. */
  readonly remaining: number;
  /** Id of the excluded turn that it belongs to; null when it stays. */
  readonly excludedWith: string | null;
  /** Whether it leaves with this request, whatever the rewriting costs. */
  readonly isRemovedNow: boolean;
}

/** An item of the context that the next request must hold: a file, a rule, a reference. */
export interface Item {
  readonly key: string;
  /** The identity of its content: equal versions, equal contents. */
  readonly version: string;
  readonly tokens: number;
  /** Tokens of the change since another version; null when only a full copy will do. */
  readonly tokensSince: (version: string) => number | null;
  /** Whether it was picked for the newest user message. Then it always comes directly before that message. */
  readonly isPick: boolean;
}

export interface UnitEntry {
  readonly kind: 'unit';
  readonly key: string;
  /** Indices of the sent parts. Only those of tool calls matter. */
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
  /** Tokens of the last copy. */
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
