import { applyDelta } from '../../src/protocol/delta.js';
import type { ToWebview } from '../../src/protocol/toWebview.js';
import type { PanelState } from '../../src/protocol/view.js';

export type StateMessage = Extract<ToWebview, { readonly type: 'snapshot' | 'delta' }>;

/** `resync`: the state can no longer be told from deltas, a snapshot must be asked for. */
export type Outcome = 'snapshot' | 'changed' | 'ignored' | 'resync';

/**
 * The panel's state as told by the host: the last snapshot and the deltas of its epoch, in order and without a gap.
 * A delta that is missing or does not fit makes the rest of its epoch useless, so `resync` is said once and
 * everything up to the next snapshot is ignored.
 */
export class PanelStore {
  #state: PanelState | null = null;
  #epoch: number | null = null;
  #last = 0;

  get state(): PanelState | null {
    return this.#state;
  }

  accept(message: StateMessage): Outcome {
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
      return this.#lost();
    }
    try {
      this.#state = applyDelta(this.#state, message.delta);
    } catch {
      return this.#lost();
    }
    this.#last = message.n;
    return 'changed';
  }

  #lost(): Outcome {
    this.#epoch = null;
    return 'resync';
  }
}
