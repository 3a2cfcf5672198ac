import { callsTools, type Message, type ToolResultsMessage } from '../../engine/chat/message.js';
import type { Timeline } from '../../engine/chat/timeline.js';
import type { Round, RoundResults } from './callViews.js';

type Begun = Omit<Round, 'isNewest'>;

/** Which results belong to which reply, found while the messages pass in their order. */
export class Rounds {
  readonly #newestId: string | null;
  #open: { round: Begun } | null = null;

  /** `timeline` is all of it, of which a part may be on show. */
  constructor(timeline: Timeline) {
    const newest = timeline.findLast((item) => item.kind === 'message' && callsTools(item.message));
    this.#newestId = newest?.kind === 'message' ? newest.message.id : null;
  }

  /** To be called for each message that has an entry; the function gives its round once all have passed. */
  at(message: Message, runId: string | null): () => Round {
    if (message.role !== 'assistant') {
      return () => {
        throw new RangeError(`The message ${message.id} calls no tools.`);
      };
    }
    const held: { round: Begun } = { round: { message, runId, results: null } };
    this.#open = callsTools(message) ? held : this.#open;
    return () => ({ ...held.round, isNewest: message.id === this.#newestId });
  }

  ended(results: { readonly runId: string | null; readonly message: ToolResultsMessage }): void {
    if (this.#open !== null && this.#open.round.results === null) {
      const found: RoundResults = results;
      this.#open.round = { ...this.#open.round, results: found };
    }
  }
}
