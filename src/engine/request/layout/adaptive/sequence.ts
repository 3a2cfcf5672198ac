/*
 * What follows tools and system prompt in a request, as the adaptive layout plans it: the units of the conversation, and between
 * them copies of the context's items and what has changed of them. It knows neither texts nor messages, so that a plan costs
 * little and can be compared with those of other clients.
 */

import type { Leaves } from '../../../chat/slices/marks.js';

/** A tool call of a unit. */
export interface UnitCall {
  /** Which part of its reply it is. */
  readonly part: number;
  /** When it should leave, with its result; null where it stays. */
  readonly leaves: Leaves | null;
  /** Tokens of it and its result; 0 where it stays. */
  readonly tokens: number;
}

/** A part of the conversation that nothing may split: a message of the user, or a reply with the results of its calls. */
export interface Unit {
  readonly key: string;
  readonly isUser: boolean;
  /** Whether nothing of it may have been sent: a reply that was stopped while the model was thinking. */
  readonly mayBeEmpty: boolean;
  readonly calls: readonly UnitCall[];
  /** Tokens of what remains of it when all its calls leave; 0 where one stays. */
  readonly remaining: number;
  /** The turn that the user has left out, with which it leaves; null for a unit that stays. */
  readonly leftOutWith: string | null;
  /** Whether it leaves with this request, whatever that costs. */
  readonly leavesNow: boolean;
}

/** Something of the context as the next request must hold it: a file, a rule, a reference. */
export interface Item {
  readonly key: string;
  /** The identity of its content: equal versions, equal contents. */
  readonly version: string;
  /** Tokens of a full copy. */
  readonly tokens: number;
  /** Tokens of what has changed since another version; null where only a full copy will do. */
  readonly tokensSince: (version: string) => number | null;
  /** Whether it belongs to the newest message of the user, and stands before that however the rest is laid out. */
  readonly isPick: boolean;
}

export interface UnitEntry {
  readonly kind: 'unit';
  readonly key: string;
  /** Which of its parts are in the prompt; only its tool calls count. */
  readonly parts: ReadonlySet<number>;
}

/** A copy of an item, or what has changed of it since the entry of the item before this one. */
export interface ItemEntry {
  readonly kind: 'copy' | 'change';
  /** The key of the item. */
  readonly key: string;
  readonly version: string;
  readonly tokens: number;
}

export type Entry = UnitEntry | ItemEntry;

/** An entry of the last request. */
export type SentEntry = (UnitEntry & { readonly tokens: number }) | ItemEntry;

/** What a sequence tells a model about an item. */
export interface Told {
  readonly version: string;
  /** Tokens of the last copy. */
  readonly copy: number;
  /** Tokens of the changes since. */
  readonly changes: number;
}

/** What the entries tell about each item, by key. */
export function toldBy(entries: readonly Entry[]): ReadonlyMap<string, Told> {
  const told = new Map<string, Told>();
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
