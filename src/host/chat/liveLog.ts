import { foldLog, type ChatFold, type ChatState } from '../../engine/chat/fold.js';
import type { ChatEvent, EventDraft } from '../../engine/chat/event.js';
import { LoupeError } from '../../engine/errors.js';

/** The state of an open chat, fed event by event. What is only shown goes through the same fold as what is logged. */
export class LiveLog {
  readonly #fold: ChatFold;

  /** Throws `storage` when the log has lost its first line. */
  constructor(events: readonly ChatEvent[]) {
    const fold = foldLog(events);
    if (fold === null) {
      throw new LoupeError('storage', 'The chat cannot be read: the line that created it is missing or damaged.');
    }
    this.#fold = fold;
  }

  get state(): ChatState {
    return this.#fold.state;
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
}
