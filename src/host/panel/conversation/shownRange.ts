import type { ChatState } from '../../../engine/chat/state.js';
import type { EntryView } from '../../../protocol/panel/entries.js';
import { hasVisibleContent, isStep } from '../../../protocol/panel/turnSteps.js';
import type { EntriesAround, EntryViews, ShownEntries } from './entries.js';

/** Number of entries in the first snapshot, and in each step to earlier or later entries. */
const PAGE = 50;

/** Number of visible entries in each step to earlier entries. A closed turn hides most of its steps. */
const VISIBLE = 5;

/** `moveTo` shows all entries from an entry to the end if these are at most this many. More would render slowly. */
const FAR = 4 * PAGE;

/**
 * The visible part of the conversation: the last entries, or entries around an entry far from the end. Shows the last
 * entries again when the visible part reaches the end, or when that entry no longer exists.
 */
export class ShownRange {
  readonly #views: EntryViews;
  #limit = PAGE;
  /** The entry in the middle of the visible part; null while the end is shown. */
  #around: EntriesAround | null = null;

  constructor(views: EntryViews) {
    this.#views = views;
  }

  /** Call this when another chat is shown. */
  reset(): void {
    this.#limit = PAGE;
    this.#around = null;
  }

  /** Shows the end, unless the visible part already ends there. */
  toLatest(): void {
    if (this.#around !== null) {
      this.reset();
    }
  }

  /** Shows earlier entries. Returns the id of the entry that was first. */
  growEarlier(state: ChatState): string | null {
    const first = this.derive(state).entries[0]?.id ?? null;
    this.#growEarlier();
    this.growUntilVisible(state, first);
    return first;
  }

  /** Shows earlier entries until some above `first` are visible while all turns are closed, as far as in memory. */
  growUntilVisible(state: ChatState, first: string | null): void {
    const hasMore = (): boolean => {
      const { entries, earlier } = this.derive(state);
      const above = entries.slice(
        0,
        Math.max(
          0,
          entries.findIndex(({ id }) => id === first),
        ),
      );
      return above.length > 0 && above.filter(isVisible).length < VISIBLE && earlier > 0 && this.isHere(state);
    };
    while (hasMore()) {
      this.#growEarlier();
    }
  }

  #growEarlier(): void {
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

  /** Makes the entry of a message, or of an attempt without a message, visible. Returns the entry's id, or null. */
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
      // The visible part has reached the end. All of its entries stay visible.
      this.#limit = Math.max(PAGE, shown?.entries.length ?? 0);
      this.#around = null;
    }
    return this.#views.derive(state, this.#limit);
  }

  /** Whether all messages of the visible part are in memory. */
  isHere(state: ChatState): boolean {
    if (state.extent === 'whole' || state.earlier.messages === 0) {
      return true;
    }
    const { entries } = this.derive(state);
    const around = this.#around;
    return around === null ? entries.length >= this.#limit : entries.findIndex(({ id }) => id === around.id) >= around.before;
  }
}

/** Whether an entry is visible while its turn is closed. */
function isVisible(entry: EntryView): boolean {
  return !isStep(entry) || hasVisibleContent(entry);
}
