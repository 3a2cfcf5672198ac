import type { AttemptState } from '../../engine/chat/slices/attempts.js';
import type { ChatState } from '../../engine/chat/state.js';
import type { ToHost } from '../../protocol/toHost.js';
import type { ContextRows } from '../../protocol/requestRows.js';
import type { EntryView, PanelState } from '../../protocol/view.js';
import { contextRows } from './contextUsed.js';

/** The sections that are open in a panel. */
export type OpenSections = Omit<Extract<ToHost, { readonly type: 'showRows' }>, 'type'>;

export const NOTHING_OPEN: OpenSections = { chips: false, nextRequest: false, contextUsed: [], manager: null };

/**
 * The context rows of open entries. With a thousand context items, each entry has a thousand rows: only the rows of
 * open entries are derived and sent.
 */
export class EntryRows {
  /** Kept by attempt: the request of an attempt never changes. */
  readonly #derived = new WeakMap<AttemptState, ContextRows | null>();

  /** The rows by entry id, for those of `entries` that are open and have a record of their request. */
  derive(entries: readonly EntryView[], state: ChatState, open: OpenSections): PanelState['contextRows'] {
    const ids = new Set(open.contextUsed);
    const rows = entries.flatMap((entry) => {
      const attempt = state.attempts.get(entry.id);
      const isShown = entry.kind === 'assistant' && entry.contextUsed !== null && ids.has(entry.id);
      const found = isShown && attempt !== undefined ? this.#rowsOf(attempt, state) : null;
      return found === null ? [] : [[entry.id, found] as const];
    });
    return Object.fromEntries(rows);
  }

  #rowsOf(attempt: AttemptState, state: ChatState): ContextRows | null {
    const known = this.#derived.get(attempt) ?? contextRows(attempt, state);
    this.#derived.set(attempt, known);
    return known;
  }
}
