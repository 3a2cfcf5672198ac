import { toLoupeError, type LoupeError } from '../../engine/errors.js';
import type { Clock } from '../../engine/ports.js';
import type { HistoryResults } from './searchHistory.js';

/** Pause after the last key press until a search, in ms. A search after each letter would be replaced at once. */
const TYPING_PAUSE_MS = 150;

export type TypedSearchState =
  | { readonly kind: 'idle' }
  /** While searching, the view may still show the last results. */
  | { readonly kind: 'searching' }
  | ({ readonly kind: 'found' } & HistoryResults)
  | { readonly kind: 'failed'; readonly error: LoupeError };

export interface TypedSearchPorts {
  readonly clock: Clock;
  search(text: string, signal: AbortSignal): Promise<HistoryResults>;
  show(state: TypedSearchState): void;
}

/** Searches while the user types: after a pause, and only for the latest text. A new text cancels the search before. */
export class TypedSearch {
  readonly #ports: TypedSearchPorts;
  #abort = new AbortController();

  constructor(ports: TypedSearchPorts) {
    this.#ports = ports;
  }

  /** Searches for a new text. Resolves when this search has ended or another one has replaced it. Never rejects. */
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
