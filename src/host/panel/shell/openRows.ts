import type { AttemptState } from '../../../engine/chat/slices/attempts.js';
import type { ChatState } from '../../../engine/chat/state.js';
import type { ToHost } from '../../../protocol/panel/toHost.js';
import type { EntryView, PanelState } from '../../../protocol/panel/view.js';
import { contextRows } from '../nextRequest/contextUsed.js';
import { type InputLimit, replyWindowView } from '../conversation/replyWindow.js';

/** The sections that are open in a panel. */
export type OpenSections = Omit<Extract<ToHost, { readonly type: 'showRows' }>, 'type'>;

export const NOTHING_OPEN: OpenSections = { chips: false, nextRequest: false, contextUsed: [], manager: null };

/**
 * The context rows of open entries. With a thousand context items, each entry has a thousand rows: only the rows of
 * open entries are derived and sent.
 */
export class EntryRows {
  /** Kept by attempt: the request of an attempt never changes. */
  readonly #derived = new WeakMap<AttemptState, ReturnType<typeof contextRows>>();

  /** The rows by entry id, for those of `entries` that are `open` and have a record of their request. */
  derive(
    { entries, open, limitOf }: { readonly entries: readonly EntryView[]; readonly open: OpenSections; readonly limitOf: InputLimit },
    state: ChatState,
  ): PanelState['contextRows'] {
    const ids = new Set(open.contextUsed);
    const rows = entries.flatMap((entry) => {
      const attempt = state.attempts.get(entry.id);
      const isShown = entry.kind === 'assistant' && entry.contextUsed !== null && ids.has(entry.id);
      const found = isShown && attempt !== undefined ? this.#rowsOf(attempt, state) : null;
      return found === null || attempt === undefined
        ? []
        : [[entry.id, { ...found, window: replyWindowView(attempt, state, limitOf) }] as const];
    });
    return Object.fromEntries(rows);
  }

  #rowsOf(attempt: AttemptState, state: ChatState): ReturnType<typeof contextRows> {
    const known = this.#derived.get(attempt) ?? contextRows(attempt, state);
    this.#derived.set(attempt, known);
    return known;
  }
}
