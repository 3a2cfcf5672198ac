import { toLoupeError, type LoupeError } from '../../engine/errors.js';
import type { Clock } from '../../engine/ports.js';
import type { HistoryResults } from './searchHistory.js';

/** Pause in ms from the last key press to the search, because each further key press would cancel the search. */
const TYPING_PAUSE_MS = 150;

export type TypedSearchState =
  | { readonly kind: 'idle' }
  /** The view can still show the results of the previous search. */
  | { readonly kind: 'searching' }
  | ({ readonly kind: 'found' } & HistoryResults)
  | { readonly kind: 'failed'; readonly error: LoupeError };

export interface TypedSearchPorts {
  readonly clock: Clock;
  search(text: string, signal: AbortSignal): Promise<HistoryResults>;
  show(state: TypedSearchState): void;
}

/** Searches while the user types, after a pause, for the latest text. A new text cancels the previous search. */
export class TypedSearch {
  readonly #ports: TypedSearchPorts;
  #abort = new AbortController();

  constructor(ports: TypedSearchPorts) {
    this.#ports = ports;
  }

  /** Searches for a new text. Resolves when this search has ended or a newer search has replaced it. Never rejects. */
  async type(text: string): Promise<void> {
    this.cancel();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    const isOvertaken = (): boolean => signal.aborted;
    if (text.trim() === '') {
      this.#ports.show({ kind: 'idle' });
      return;
    }
    this.#ports.show({ kind: 'searching' });
    await this.#ports.clock.sleep(TYPING_PAUSE_MS, signal);
    if (isOvertaken()) {
      return;
    }
    const state = await this.#search(text, signal);
    if (!isOvertaken()) {
      this.#ports.show(state);
    }
  }

  cancel(): void {
    this.#abort.abort();
  }

  async #search(text: string, signal: AbortSignal): Promise<TypedSearchState> {
    try {
      return { kind: 'found', ...(await this.#ports.search(text, signal)) };
    } catch (thrown) {
      return { kind: 'failed', error: toLoupeError(thrown) };
    }
  }
}
