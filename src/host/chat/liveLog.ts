import type { ChatFold } from '../../engine/chat/fold.js';
import type { EventDraft } from '../../engine/chat/slices/table.js';
import type { ChatState } from '../../engine/chat/state.js';
import type { ChatEvent } from '../../engine/chat/event.js';

/** The state of an open chat, fed event by event. What is only shown goes through the same fold as what is logged. */
export class LiveLog {
  readonly #fold: ChatFold;

  constructor(fold: ChatFold) {
    this.#fold = fold;
  }

  get state(): ChatState {
    return this.#fold.state;
  }

  /** Whether something logged was about what was not read: the state is not that of the chat then. */
  get reachedBack(): boolean {
    return this.#fold.reachedBack;
  }

  logged(events: readonly ChatEvent[]): void {
    for (const event of events) {
      this.#fold.apply(event);
    }
  }

  shown(drafts: readonly EventDraft[], at: number, writer: string): void {
    for (const draft of drafts) {
      this.#fold.apply({ ...draft, at, writer });
    }
  }

  prepend(older: ChatState): void {
    this.#fold.prepend(older);
  }
}
