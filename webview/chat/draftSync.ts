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
  /** The message on its way to the host; null when none is. */
  #sent: string | null = null;

  /** A message was sent: the host will answer by changing the draft. */
  sent(text: string): void {
    this.#sent = text;
  }

  /** The text for the composer when the host's draft is taken: what was typed behind a sent message stays. */
  merge(local: string, hostText: string): string {
    const sent = this.#sent;
    this.#sent = null;
    return sent !== null && local.length > sent.length && local.startsWith(sent) ? hostText + local.slice(sent.length) : hostText;
  }

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
