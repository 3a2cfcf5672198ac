import type { ChatState } from '../../../engine/chat/state.js';
import type { ComposedRequest } from '../../../engine/next/compose.js';
import { type IncludeMode, type NotSelectedReason, type OffScope, offScope } from '../../../engine/record/item.js';
import type { TokenCounter } from '../../../engine/ports.js';
import type { ContextChip } from '../../../protocol/panel/composer.js';
import { type ManagedSections, MOST_MANAGED } from '../../../protocol/panel/manager.js';
import type { NextRequestRows } from '../../../protocol/panel/requestRows.js';
import type { NextRequestView } from '../../../protocol/panel/nextRequest.js';
import type { ServersState } from '../../tools/serverStates.js';

/** The data of the context pane. */
export interface ManagedContext {
  readonly state: ChatState;
  readonly composed: ComposedRequest;
  readonly rows: Pick<NextRequestRows, 'blocks'>;
  /** The items and servers that no message has mentioned, and no call has used, for a long time. */
  readonly request: Pick<NextRequestView, 'unused' | 'unusedServers'>;
  /** The chips of the chat's items, one per item. */
  readonly chips: readonly ContextChip[];
  readonly counter: TokenCounter;
  readonly servers: ServersState;
}

/** The pane's input, with the tokens in the request by item key. */
export interface MeasuredContext extends ManagedContext {
  readonly tokens: ReadonlyMap<string, number>;
}

/** Returns the search text in lower case; empty without a search. */
export function searchedIn({ search }: ManagedSections): string {
  return search.trim().toLowerCase();
}

export function isMatch(texts: readonly string[], searched: string): boolean {
  return texts.some((text) => text.toLowerCase().includes(searched));
}

/** Returns the maximum rows of a section, by its type, or of a server, by its key. */
export function mostRows(key: string, { rows }: ManagedSections): number {
  return rows[key] ?? MOST_MANAGED;
}

/** Returns where an item is off. A manual item is not off in a chat, because only the user adds it. */
export function shownOff(leftOut: NotSelectedReason, include: IncludeMode): OffScope | null {
  const scope = offScope(leftOut);
  return scope === 'chat' && include === 'manual' ? null : scope;
}
