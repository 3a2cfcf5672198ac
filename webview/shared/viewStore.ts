import { MAX_REASON_LENGTH, type StateMessage, type ViewState } from '../../src/protocol/viewState.js';

/** The result of a message. `resync`: why the deltas cannot be applied. The view then requests a new snapshot. */
export type Outcome = 'snapshot' | 'changed' | 'ignored' | { readonly resync: string };

/**
 * The state of a view: the host's last snapshot, with all later deltas of the same epoch applied in order. When a delta
 * is missing or does not fit, returns the reason once, and then ignores deltas until the next snapshot.
 */
export class ViewStore<State, Delta> {
  readonly #travels: ViewState<State, Delta>;
  #state: State | null = null;
  #epoch: number | null = null;
  #last = 0;

  constructor(travels: ViewState<State, Delta>) {
    this.#travels = travels;
  }

  get state(): State | null {
    return this.#state;
  }

  accept(message: StateMessage<State, Delta>): Outcome {
    if (message.type === 'snapshot') {
      this.#state = message.state;
      this.#epoch = message.epoch;
      this.#last = 0;
      return 'snapshot';
    }
    if (this.#state === null || message.epoch !== this.#epoch) {
      return 'ignored';
    }
    if (message.n !== this.#last + 1) {
      return this.#lost(`Delta ${String(message.n)} came after ${String(this.#last)}.`);
    }
    try {
      this.#state = this.#travels.apply(this.#state, message.delta);
    } catch (thrown) {
      return this.#lost(`Delta ${String(message.n)} does not fit: ${String(thrown)}`);
    }
    this.#last = message.n;
    return 'changed';
  }

  #lost(reason: string): Outcome {
    this.#epoch = null;
    return { resync: reason.slice(0, MAX_REASON_LENGTH) };
  }
}
