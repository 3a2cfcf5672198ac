import type { DraftView } from '../../../src/protocol/panel/view.js';
import type { PanelState } from '../../../src/protocol/panel/state.js';

/**
 * Decides whether the host's draft replaces the composer's text. The host owns the draft, but its text may be older
 * than the user's latest input. Once the host has seen every edit made here, its text is valid: the text typed here, or
 * a later change by the host (`revision`) or by another panel.
 *
 * If both sides change it at the same time, the text here wins. The host gets it with the next message.
 */
export class DraftSync {
  #chatId: string | null = null;
  #revision = -1;
  /** Number of the last edit in this webview, in any chat. */
  #edit = 0;
  /** Number of the last edit in the shown chat. */
  #editHere = 0;
  /** The sent message that the host has not answered, or null. */
  #sent: string | null = null;

  nextEdit(): number {
    this.#edit += 1;
    this.#editHere = this.#edit;
    return this.#edit;
  }

  /** Records that a message was sent. The host will answer with a new draft. */
  sent(text: string): void {
    this.#sent = text;
  }

  /** Returns the new text for the composer, which now holds `local`, or null to keep it. */
  resolve(local: string, chatId: string, draft: DraftView): string | null {
    const isOther = chatId !== this.#chatId;
    const isRevised = draft.revision !== this.#revision;
    this.#chatId = chatId;
    this.#revision = draft.revision;
    if (isOther) {
      this.#editHere = draft.edit;
      this.#sent = null;
      return draft.text;
    }
    const sent = isRevised ? this.#sent : null;
    this.#sent = isRevised ? null : this.#sent;
    if (draft.edit === this.#editHere) {
      return draft.text;
    }
    // Text typed after sending begins the next message.
    return sent !== null && local.startsWith(sent) ? draft.text + local.slice(sent.length) : null;
  }
}

/** Whether the host has just put a sent message into the composer. */
export function beginsEdit(before: PanelState | null, { draft }: PanelState): boolean {
  return before !== null && draft.editing !== null && draft.editing !== before.draft.editing;
}
