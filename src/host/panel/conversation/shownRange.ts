import type { ChatState } from '../../../engine/chat/state.js';
import type { EntriesAround, EntryViews, ShownEntries } from './entries.js';

/** Number of entries in the first snapshot, and in each step to earlier or later ones. */
const PAGE = 50;

/**
 * Beyond this many entries from the end, an entry is shown without all that follows it. A few pages render fast, and
 * keep the way to the end short.
 */
const FAR = 4 * PAGE;

/**
 * The part of the conversation on show: the last entries, or those around an entry far from the end. The end is shown
 * when the part around an entry reaches it, and when that entry is gone.
 */
export class ShownRange {
  readonly #views: EntryViews;
  #limit = PAGE;
  /** The entry in the middle; null while the end is shown. */
  #around: EntriesAround | null = null;

  constructor(views: EntryViews) {
    this.#views = views;
  }

  /** To be called for another chat. */
  reset(): void {
    this.#limit = PAGE;
    this.#around = null;
  }

  /** Shows the end, unless the part on show ends there. */
  toLatest(): void {
    if (this.#around !== null) {
      this.reset();
    }
  }

  growEarlier(): void {
    if (this.#around === null) {
      this.#limit += PAGE;
    } else {
      this.#around = { ...this.#around, before: this.#around.before + PAGE };
    }
  }

  growLater(): void {
    if (this.#around !== null) {
      this.#around = { ...this.#around, after: this.#around.after + PAGE };
    }
  }

  /**
   * Makes sure that the entry of a message, or of an attempt that produced none, is on show. Returns the entry's id;
   * null when there is no entry.
   */
  moveTo(state: ChatState, id: string): string | null {
    const found = this.#views.find(state, id);
    if (found === null) {
      return null;
    }
    const isHere = this.derive(state).entries.some((entry) => entry.id === found.entryId);
    if (!isHere && found.fromEnd <= FAR) {
      this.#limit = Math.ceil(found.fromEnd / PAGE) * PAGE;
      this.#around = null;
    } else if (!isHere) {
      // One page, including the entry itself.
      this.#around = { id: found.entryId, before: PAGE / 2, after: PAGE / 2 - 1 };
    }
    return found.entryId;
  }

  derive(state: ChatState): ShownEntries {
    if (this.#around !== null) {
      const shown = this.#views.around(state, this.#around);
      if (shown !== null && shown.later > 0) {
        return shown;
      }
      // The entries on show stay when the part reaches the end.
      this.#limit = Math.max(PAGE, shown?.entries.length ?? 0);
      this.#around = null;
    }
    return this.#views.derive(state, this.#limit);
  }

  /** Whether the messages to show are in memory. */
  isHere(state: ChatState): boolean {
    if (state.extent === 'whole' || state.earlier.messages === 0) {
      return true;
    }
    const { entries } = this.derive(state);
    const around = this.#around;
    return around === null ? entries.length >= this.#limit : entries.findIndex(({ id }) => id === around.id) >= around.before;
  }
}
