import type { ChatState } from '../../engine/chat/state.js';
import type { EntriesAround, EntryViews, ShownEntries } from './entries.js';

/** Entries a snapshot holds, and by how many more earlier or later ones it grows. */
const PAGE = 50;

/**
 * An entry so far from the end is shown without all that follows it: a few pages are laid out in no time, and keep the
 * way to the end short.
 */
const FAR = 4 * PAGE;

/**
 * Which part of the conversation is on show: its last entries, or those around one that is far from the end. When the
 * part around an entry reaches the end, or that entry is not there any more, it is the end that is shown.
 */
export class ShownPart {
  readonly #views: EntryViews;
  #limit = PAGE;
  /** Null while the end is shown. */
  #around: EntriesAround | null = null;

  constructor(views: EntryViews) {
    this.#views = views;
  }

  /** For another chat. */
  reset(): void {
    this.#limit = PAGE;
    this.#around = null;
  }

  /** To the end, if that is not among what is shown. */
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
   * Has the entry of a message, or of a reply that became none by the id of its attempt, among those on show. Returns
   * the id of the entry; null when there is none.
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
      // With the entry itself a page.
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
      // What is on show stays where it is when the end comes into it.
      this.#limit = Math.max(PAGE, shown?.entries.length ?? 0);
      this.#around = null;
    }
    return this.#views.derive(state, this.#limit);
  }

  /** Whether as much of the chat is in memory as is to be shown. */
  isHere(state: ChatState): boolean {
    if (state.extent === 'whole' || state.earlier.messages === 0) {
      return true;
    }
    const { entries } = this.derive(state);
    const around = this.#around;
    return around === null ? entries.length >= this.#limit : entries.findIndex(({ id }) => id === around.id) >= around.before;
  }
}
