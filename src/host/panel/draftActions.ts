import { findUserMessage } from '../../engine/chat/branch.js';
import { messageText } from '../../engine/chat/message.js';
import { failure, toLoupeError } from '../../engine/errors.js';
import type { ChatSession } from '../chat/chatSession.js';
import type { Drafts } from '../chat/drafts.js';

/** What the user does with the text in the composer. */
export class DraftActions {
  readonly #drafts: Drafts;
  readonly #focus: () => void;

  /** `focus` puts the cursor into the composer. */
  constructor(drafts: Drafts, focus: () => void) {
    this.#drafts = drafts;
    this.#focus = focus;
  }

  /** Sends the text now or after the reply that is being written, or replaces the message being edited. Resolves when the run has ended. */
  async send(session: ChatSession, text: string): Promise<void> {
    const { conversation } = session;
    const { editing } = this.#drafts.get(session.id);
    if (editing !== null) {
      await conversation.reachMessage(editing);
      conversation.checkIdle();
    }
    conversation.checkWritable();
    if (text.trim() === '') {
      throw failure('chat.emptyMessage');
    }
    if (editing !== null) {
      // Fails here, before the draft is cleared: a retry may have set the message aside meanwhile.
      findUserMessage(session.state, editing);
    }
    const run = editing === null ? conversation.send(text) : conversation.edit(editing, text);
    this.#drafts.finish(session.id);
    try {
      await run;
    } catch (thrown) {
      if (editing !== null && toLoupeError(thrown).code === 'chat.busyElsewhere') {
        // Nothing was set aside: the text becomes the draft of the edit again.
        this.#drafts.beginEdit(session.id, editing, text);
      }
      throw thrown;
    }
  }

  /** Moves a queued message back into the composer, in front of the draft. */
  async takeBack(session: ChatSession, messageId: string): Promise<void> {
    this.#drafts.prepend(session.id, await session.conversation.takeBack(messageId));
    this.#focus();
  }

  /** Puts a sent message into the composer. Sending then replaces it and all after it. */
  async beginEdit(session: ChatSession, messageId: string): Promise<void> {
    await session.conversation.reachMessage(messageId);
    session.conversation.checkIdle();
    this.#drafts.beginEdit(session.id, messageId, messageText(findUserMessage(session.state, messageId)));
    this.#focus();
  }

  cancelEdit(session: ChatSession): void {
    if (this.#drafts.get(session.id).editing !== null) {
      this.#drafts.finish(session.id);
    }
  }
}
