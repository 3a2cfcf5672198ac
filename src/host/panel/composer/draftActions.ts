import { findUserMessage } from '../../../engine/chat/branch.js';
import { editedParts, writtenContent, writtenMessage, writtenParts } from '../../../engine/chat/message/message.js';
import { failure } from '../../../engine/errors.js';
import type { ChatSession } from '../../chat/chatSession.js';
import type { Draft, Drafts } from '../../chat/drafts.js';
import { shorteningOf } from '../../../engine/next/room.js';

/** Returns a function that restores the files for the edit of a message, or null when there is nothing to restore. */
type Restorer = (chatId: string, messageId: string) => Promise<(() => Promise<void>) | null>;

/** The user's actions on the draft. */
export class DraftActions {
  readonly #drafts: Drafts;
  readonly #focus: () => void;

  readonly #restorer: Restorer;

  /** `focus` moves the cursor into the message box. */
  constructor(drafts: Drafts, focus: () => void, restorer: Restorer) {
    this.#drafts = drafts;
    this.#focus = focus;
    this.#restorer = restorer;
  }

  /**
   * Sends the text now or after the current reply, or replaces the message being edited. Waits for images that are
   * being added. Resolves when the run has ended. Puts the text back into the message box and rejects when the run is
   * refused before any request.
   */
  async send(session: ChatSession, text: string): Promise<void> {
    const { conversation } = session;
    const before = this.#drafts.get(session.id);
    const { editing } = before;
    if (editing !== null || this.#drafts.imagesAdded(session.id) !== null) {
      await this.#ready(session, editing);
    }
    const { images, original, ...now } = this.#drafts.get(session.id);
    if (now.messageId !== before.messageId || now.editing !== editing) {
      // An earlier call has sent this draft during the wait. The message box now has another draft.
      return;
    }
    if (now.text !== text && now.text !== before.text) {
      throw failure('draft.changedBeforeSent');
    }
    const written = { text, images, editing, original };
    if (editing !== null) {
      conversation.checkIdle();
    }
    conversation.checkWritable();
    // Throws before the draft is cleared if the edited message no longer exists, for example after a retry.
    const parts = editing === null ? writtenParts(written) : editedParts(findUserMessage(session.state, editing), written);
    if (parts.length === 0) {
      throw failure('chat.emptyMessage');
    }
    // Clears the draft before any wait, so that the same text is not sent twice.
    const message = writtenMessage(this.#drafts.take(session.id), parts);
    try {
      if (editing === null) {
        await conversation.sendDraft(message);
      } else {
        await conversation.editAfter(editing, message, await this.#restorer(session.id, editing));
      }
    } catch (thrown) {
      // The message is not in the chat, because its run was refused or could not start.
      this.#putBack(session.id, written);
      throw thrown;
    }
  }

  /** Waits for images that are being added, and for the message to edit. */
  async #ready({ id, conversation }: ChatSession, editing: string | null): Promise<void> {
    if ((await this.#drafts.imagesAdded(id)) === false) {
      throw failure('draft.imageNotAdded');
    }
    if (editing !== null) {
      await conversation.reachMessage(editing);
    }
  }

  #putBack(chatId: string, written: Pick<Draft, 'text' | 'images' | 'editing' | 'original'>): void {
    if (written.editing === null) {
      this.#drafts.prepend(chatId, written);
    } else {
      this.#drafts.beginEdit(chatId, written.editing, written);
    }
    this.#drafts.keepOriginal(chatId, written.original);
  }

  /** Replaces a draft that makes the request too long by a model's shorter text. Throws if the draft changes then. */
  async shorten(session: ChatSession): Promise<void> {
    const { id } = session;
    const draft = this.#drafts.get(id);
    const { text, editing } = draft;
    const composed = await session.next.current(draft);
    const shortening = shorteningOf(composed, composed);
    if (shortening === null) {
      throw failure('draft.fits');
    }
    const shortened = await session.compactor.shortenMessage(text, shortening.mostTokens);
    if (shortened === null) {
      return;
    }
    const now = this.#drafts.get(id);
    if (now.text !== text || now.editing !== editing) {
      throw failure('draft.changed');
    }
    this.#drafts.replace(id, shortened);
    this.#drafts.keepOriginal(id, text);
    this.#focus();
  }

  /** Inserts a text into the draft at a UTF-16 offset. */
  insert({ id }: ChatSession, text: string, at: number): void {
    const { text: written } = this.#drafts.get(id);
    this.#drafts.replace(id, written.slice(0, at) + text + written.slice(at));
    this.#focus();
  }

  takeOriginalBack({ id }: ChatSession): void {
    const { original } = this.#drafts.get(id);
    if (original !== null) {
      this.#drafts.replace(id, original);
    }
  }

  /** Moves a queued message back into the message box, before the draft. */
  async takeBack(session: ChatSession, messageId: string): Promise<void> {
    this.#drafts.prepend(session.id, await session.conversation.takeBack(messageId));
    this.#focus();
  }

  /** Puts a sent message into the message box. Sending the draft then replaces this and all later messages. */
  async beginEdit(session: ChatSession, messageId: string): Promise<void> {
    await session.conversation.reachMessage(messageId);
    session.conversation.checkIdle();
    this.#drafts.beginEdit(session.id, messageId, writtenContent(findUserMessage(session.state, messageId)));
    this.#focus();
  }

  cancelEdit(session: ChatSession): void {
    if (this.#drafts.get(session.id).editing !== null) {
      this.#drafts.finish(session.id);
    }
  }
}
