import type { AttemptState } from '../../../engine/chat/slices/attempts.js';
import type { ChatState } from '../../../engine/chat/state.js';
import type { ToHost } from '../../../protocol/panel/toHost.js';
import type { EntryView } from '../../../protocol/panel/view.js';
import type { PanelState } from '../../../protocol/panel/state.js';
import { contextRows } from '../nextRequest/contextUsed.js';
import { type InputLimit, replyWindowView } from '../conversation/replyWindow.js';

export type OpenSections = Omit<Extract<ToHost, { readonly type: 'showRows' }>, 'type'>;

export const NOTHING_OPEN: OpenSections = { chips: false, nextRequest: false, contextUsed: [], manager: null };

/** Derives the context rows of open entries only, because each entry may have a thousand rows. */
export class EntryRows {
  /** By attempt, because the request of an attempt never changes. */
  readonly #derived = new WeakMap<AttemptState, ReturnType<typeof contextRows>>();

  /** Returns the rows by entry id, for those of `entries` that are `open` and have a record of their request. */
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
