import { LEAST_SEARCHED, type PanelSearchRole, type SearchResults } from '../../../src/protocol/panel/toWebview.js';
import type { ToHost } from '../../../src/protocol/panel/toHost.js';
import { counted, tokens } from '../../shared/numbers.js';

/** Time in ms after which a search shows its progress and a cancel button. */
export const SLOW_MS = 1_000;

/** The state of the message search. While a search runs, the previous results stay visible. */
export type SearchStage = 'none' | 'searching' | 'slow' | 'found' | 'cancelled';

export interface MessageSearchPorts {
  post(message: Extract<ToHost, { readonly type: 'searchChats' }>): void;
  answered(results: SearchResults): void;
  changed(): void;
}

/** Searches messages through the host. Ignores results for an earlier query. */
export class MessageSearch {
  readonly #ports: MessageSearchPorts;
  #text = '';
  #role: PanelSearchRole = 'all';
  #stage: SearchStage = 'none';
  #results: SearchResults | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #whenFound: () => void = () => undefined;

  constructor(ports: MessageSearchPorts) {
    this.#ports = ports;
  }

  get role(): PanelSearchRole {
    return this.#role;
  }

  get stage(): SearchStage {
    return this.#stage;
  }

  get results(): SearchResults | null {
    return this.#results;
  }

  /** Calls `then` when the results are complete. Does not call `then` if the search is cancelled or replaced. */
  whenFound(then: () => void): void {
    if (this.#stage === 'searching' || this.#stage === 'slow') {
      this.#whenFound = then;
    } else {
      then();
    }
  }

  type(text: string): void {
    this.#text = text;
    this.#ask();
  }

  choose(role: PanelSearchRole): void {
    this.#role = role;
    this.#ask();
  }

  take(results: SearchResults): void {
    if (results.text !== this.#text || results.role !== this.#role || this.#stage === 'cancelled' || this.#stage === 'none') {
      return;
    }
    this.#results = results;
    const then = this.#whenFound;
    this.#to('found');
    this.#ports.answered(results);
    then();
  }

  /** Cancels the running search, and removes the results, which belong to an earlier text. */
  cancel(): void {
    if (this.#stage === 'searching' || this.#stage === 'slow') {
      this.#results = null;
      this.#to('cancelled');
      this.#ports.post({ type: 'searchChats', text: '', role: 'all' });
    }
  }

  #ask(): void {
    const isSearched = this.#text.trim().length >= LEAST_SEARCHED;
    if (!isSearched) {
      this.cancel();
      this.#results = null;
      this.#to('none');
      return;
    }
    this.#to('searching');
    this.#timer = setTimeout(() => {
      this.#to('slow');
    }, SLOW_MS);
    this.#ports.post({ type: 'searchChats', text: this.#text, role: this.#role });
  }

  #to(stage: SearchStage): void {
    clearTimeout(this.#timer);
    // Keeps the callback when the search becomes slow, because it is still the same search.
    this.#whenFound = stage === 'slow' ? this.#whenFound : () => undefined;
    this.#stage = stage;
    this.#ports.changed();
  }
}

export function summary({ messages, isCut }: Pick<SearchResults, 'messages' | 'isCut'>): string {
  const chats = counted(new Set(messages.map(({ chatId }) => chatId)).size, 'chat');
  return isCut ? `Latest ${tokens(messages.length)} messages in ${chats}` : `${counted(messages.length, 'message')} in ${chats}`;
}
