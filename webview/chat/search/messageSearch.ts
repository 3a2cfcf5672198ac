import { LEAST_SEARCHED, type PanelSearchRole, type SearchResults } from '../../../src/protocol/panel/search.js';
import type { ToHost } from '../../../src/protocol/panel/toHost.js';
import { counted, tokens } from '../../shared/numbers.js';

/** From here on a search shows that it goes on, and can be cancelled, in ms. */
export const SLOW_MS = 1_000;

/**
 * Where the search for messages is: none, one under way, its answer, or cancelled. While one is under way the answer
 * before it stays on show.
 */
export type SearchStage = 'none' | 'searching' | 'slow' | 'found' | 'cancelled';

export interface MessageSearchPorts {
  post(message: Extract<ToHost, { readonly type: 'searchChats' }>): void;
  /** An answer has arrived. */
  answered(results: SearchResults): void;
  changed(): void;
}

/** The search for messages of the list of chats. The host searches; an answer to an older question is dropped. */
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

  /** The last answer; null without one. */
  get results(): SearchResults | null {
    return this.#results;
  }

  /** Calls `then` now, or after the answer of the search that is under way; never when that is cancelled or another one begins. */
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

  /** Takes the host's answer. */
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

  /** Ends the search that is under way; what was found before is left out, since it has another text. */
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
    // What waits for an answer waits on while the same search is only slow.
    this.#whenFound = stage === 'slow' ? this.#whenFound : () => undefined;
    this.#stage = stage;
    this.#ports.changed();
  }
}

/** `3 messages in 2 chats`. */
export function summary({ messages, isCut }: Pick<SearchResults, 'messages' | 'isCut'>): string {
  const chats = counted(new Set(messages.map(({ chatId }) => chatId)).size, 'chat');
  return isCut ? `Latest ${tokens(messages.length)} messages in ${chats}` : `${counted(messages.length, 'message')} in ${chats}`;
}
