import type { DraftView } from '../../src/protocol/view.js';

/**
 * Decides when the host's draft replaces what is in the composer. The draft is the host's, but what it says is older
 * than what the user has typed since: it is taken only when the host changed it by itself (`revision`), for another
 * chat, or in a snapshot that has seen every edit made here.
 */
export class DraftSync {
  #chatId: string | null = null;
  #revision = -1;
  #edit = 0;

  /** The number of the edit that the user has just made. */
  nextEdit(): number {
    this.#edit += 1;
    return this.#edit;
  }

  /** Whether the composer takes the draft's text. */
  takes(chatId: string, draft: DraftView, isSnapshot: boolean): boolean {
    const isOther = chatId !== this.#chatId;
    const isRevised = draft.revision !== this.#revision;
    this.#chatId = chatId;
    this.#revision = draft.revision;
    return isOther || isRevised || (isSnapshot && draft.edit === this.#edit);
  }
}
