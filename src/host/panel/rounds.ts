import type { Message, ToolResultsMessage } from '../../engine/chat/message.js';
import type { Round, RoundResults } from './callViews.js';

type Begun = Omit<Round, 'isNewest'>;

/** Which results belong to which reply, found while the messages pass in their order. */
export class Rounds {
  #newest: { round: Begun } | null = null;

  /** To be called for each message that has an entry; the function gives its round once all have passed. */
  at(message: Message, runId: string | null): () => Round {
    if (message.role !== 'assistant') {
      return () => {
        throw new RangeError(`The message ${message.id} calls no tools.`);
      };
    }
    const held: { round: Begun } = { round: { message, runId, results: null } };
    this.#newest = message.parts.some(({ type }) => type === 'toolCall') ? held : this.#newest;
    return () => ({ ...held.round, isNewest: this.#newest === held });
  }

  ended(results: { readonly runId: string | null; readonly message: ToolResultsMessage }): void {
    if (this.#newest !== null && this.#newest.round.results === null) {
      const found: RoundResults = results;
      this.#newest.round = { ...this.#newest.round, results: found };
    }
  }
}
