import { toLoupeError, type LoupeError } from '../engine/errors.js';
import type { Clock } from '../engine/ports.js';
import type { HistoryResults } from './searchHistory.js';

/** Someone who types on does so within this time; searching for each letter would only be thrown away. */
const TYPING_PAUSE_MS = 150;

/** What a search while typing has to show. */
export type TypedSearchState =
  | { readonly kind: 'idle' }
  /** What was found for the text before may stay on show meanwhile. */
  | { readonly kind: 'searching' }
  | ({ readonly kind: 'found' } & HistoryResults)
  | { readonly kind: 'failed'; readonly error: LoupeError };

export interface TypedSearchPorts {
  readonly clock: Clock;
  search(text: string, signal: AbortSignal): Promise<HistoryResults>;
  show(state: TypedSearchState): void;
}

/** Searches while the user types: after a pause, and for the latest text only; the search before is cancelled. */
export class TypedSearch {
  readonly #ports: TypedSearchPorts;
  #abort = new AbortController();

  constructor(ports: TypedSearchPorts) {
    this.#ports = ports;
  }

  /** The text has changed. Resolves when its search has ended, or another one has taken its place; never rejects. */
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
