import type { DraftView } from '../../src/protocol/view.js';

/**
 * Decides what stands in the composer when the host tells its draft. The draft is the host's, but what it says may be
 * older than what the user has typed since: it is taken for another chat, when the host changed it by itself
 * (`revision`), or in a snapshot, and each time only when it has seen every edit made here. Where both sides changed
 * it at once the user's keys win; the host hears of them in the message that is on its way.
 */
export class DraftSync {
  #chatId: string | null = null;
  #revision = -1;
  /** The number of the last edit of this webview's life, in any chat. */
  #edit = 0;
  /** The number of the last edit in the chat on show. */
  #editHere = 0;
  /** The message on its way to the host; null when none is. */
  #sent: string | null = null;

  /** The number of the edit that the user has just made. */
  nextEdit(): number {
    this.#edit += 1;
    this.#editHere = this.#edit;
    return this.#edit;
  }

  /** A message was sent: the host will answer by changing the draft. */
  sent(text: string): void {
    this.#sent = text;
  }

  /** The text for the composer, where `local` stands now; null to leave it. */
  resolve(local: string, chatId: string, draft: DraftView, isSnapshot: boolean): string | null {
    const isOther = chatId !== this.#chatId;
    const isRevised = draft.revision !== this.#revision;
    this.#chatId = chatId;
    this.#revision = draft.revision;
    if (isOther) {
      this.#editHere = draft.edit;
      this.#sent = null;
      return draft.text;
    }
    const hasSeenAll = draft.edit === this.#editHere;
    if (!isRevised) {
      return isSnapshot && hasSeenAll ? draft.text : null;
    }
    const sent = this.#sent;
    this.#sent = null;
    if (hasSeenAll) {
      return draft.text;
    }
    // What was typed behind a sent message begins the next one.
    return sent !== null && local.startsWith(sent) ? draft.text + local.slice(sent.length) : null;
  }
}
