import type { DraftView } from '../../../src/protocol/panel/view.js';
import type { PanelState } from '../../../src/protocol/panel/state.js';

/**
 * Decides whether the host's draft replaces the text in the message box. The host owns the draft, but the host's text
 * can be older than the user's latest input. If the host has received every edit of this webview, the host's text
 * replaces the text in the message box: the host (`revision`) or another panel may have changed it.
 *
 * If the user types while the host changes the draft, the message box keeps the user's text and sends it to the host.
 */
export class DraftSync {
  #chatId: string | null = null;
  #revision = -1;
  /** Number of the last edit in this webview, counted over all chats. */
  #edit = 0;
  /** Number of the last edit in the visible chat. */
  #editHere = 0;
  /** The text of a sent message until the host replies. Null without such a message. */
  #sent: string | null = null;

  nextEdit(): number {
    this.#edit += 1;
    this.#editHere = this.#edit;
    return this.#edit;
  }

  /** Call this after sending a message. The host replies with a new draft. */
  sent(text: string): void {
    this.#sent = text;
  }

  /** Returns the new text for the message box, which contains `local`. Null to keep `local`. */
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
    // Text that the user typed after sending is the start of the next message.
    return sent !== null && local.startsWith(sent) ? draft.text + local.slice(sent.length) : null;
  }
}

/** Whether the host has just put a sent message into the message box for editing. */
export function beginsEdit(before: PanelState | null, { draft }: PanelState): boolean {
  return before !== null && draft.editing !== null && draft.editing !== before.draft.editing;
}
