import type { DraftView } from '../../../src/protocol/panel/view.js';
import type { PanelState } from '../../../src/protocol/panel/state.js';

/**
 * Decides whether the host's draft replaces the text in the message box. The host owns the draft, but its text may be
 * older than the user's latest input. When the host has seen every edit of this webview, its text is valid: the text
 * typed here, or a later change by the host (`revision`) or by another panel.
 *
 * If both sides change the draft at the same time, the text here wins. The next message sends it to the host.
 */
export class DraftSync {
  #chatId: string | null = null;
  #revision = -1;
  /** Number of the last edit in this webview, for all chats together. */
  #edit = 0;
  /** Number of the last edit in the visible chat. */
  #editHere = 0;
  /** The text of the message that the user sent and the host has not answered. Null for none. */
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

  /** Returns the text to put into the message box, which now contains `local`. Null to leave it unchanged. */
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
    // The user typed more text after sending. It is the start of the next message.
    return sent !== null && local.startsWith(sent) ? draft.text + local.slice(sent.length) : null;
  }
}

/** Whether the host has just put a sent message into the message box, so that the user can edit it. */
export function beginsEdit(before: PanelState | null, { draft }: PanelState): boolean {
  return before !== null && draft.editing !== null && draft.editing !== before.draft.editing;
}
