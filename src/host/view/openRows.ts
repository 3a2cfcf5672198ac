import type { AttemptState } from '../../engine/chat/slices/attempts.js';
import type { ChatState } from '../../engine/chat/state.js';
import type { ToHost } from '../../protocol/toHost.js';
import { type ContextRows, type EntryView, MOST_CHIPS, type PanelState } from '../../protocol/view.js';
import { contextRows } from './contextUsed.js';
import type { Preview } from './previews.js';

/** What is open in a panel. */
export type OpenParts = Omit<Extract<ToHost, { readonly type: 'showRows' }>, 'type'>;

/**
 * The rows of what is open in a panel. A context of a thousand items has as many rows in each entry: only those that
 * somebody looks at travel.
 */
export class OpenRows {
  #open: OpenParts = { chips: false, nextRequest: false, contextUsed: [] };
  /** What an attempt has sent never changes. */
  readonly #derived = new WeakMap<AttemptState, ContextRows | null>();

  /** From now on these are open, and nothing else. */
  set(open: OpenParts): void {
    this.#open = open;
  }

  ofContext({ chips }: Preview): Pick<PanelState, 'context' | 'contextHidden'> {
    const shown = this.#open.chips ? chips.length : MOST_CHIPS;
    const hidden = chips.slice(shown);
    const warnings = hidden.filter(({ warning }) => warning !== null).length;
    return { context: chips.slice(0, shown), contextHidden: { count: hidden.length, warnings } };
  }

  ofRequest({ rows }: Preview): PanelState['nextRequestRows'] {
    return this.#open.nextRequest ? rows : null;
  }

  /** By the ids of those entries that are open, among `entries`, and have a record of their request. */
  ofEntries(entries: readonly EntryView[], state: ChatState): PanelState['contextRows'] {
    const open = new Set(this.#open.contextUsed);
    const rows = entries.flatMap((entry) => {
      const attempt = state.attempts.get(entry.id);
      const isShown = entry.kind === 'assistant' && entry.contextUsed !== null && open.has(entry.id);
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
