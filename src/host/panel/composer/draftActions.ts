import { findUserMessage } from '../../../engine/chat/branch.js';
import { editedParts, writtenContent, writtenParts } from '../../../engine/chat/message/message.js';
import { failure } from '../../../engine/errors.js';
import type { ChatSession } from '../../chat/chatSession.js';
import type { Draft, Drafts } from '../../chat/drafts.js';
import { shorteningOf } from '../../request/overBudget.js';

/** What was in the composer. */
type Written = Pick<Draft, 'text' | 'images' | 'editing' | 'original'>;

/** Resolves to what restores the files that the user wants restored with the edit of a message; null without any. */
type Restorer = (chatId: string, messageId: string) => Promise<(() => Promise<void>) | null>;

/** What the user does with the text in the composer. */
export class DraftActions {
  readonly #drafts: Drafts;
  readonly #focus: () => void;

  readonly #restorer: Restorer;

  /** `focus` puts the cursor into the composer. */
  constructor(drafts: Drafts, focus: () => void, restorer: Restorer) {
    this.#drafts = drafts;
    this.#focus = focus;
    this.#restorer = restorer;
  }

  /**
   * Sends the text now or after the reply that is being written, or replaces the message being edited. Resolves when the
   * run has ended. A text whose run is refused before any request is in the composer again; rejects with the reason then.
   */
  async send(session: ChatSession, text: string): Promise<void> {
    const { conversation } = session;
    const { images, editing, original } = this.#drafts.get(session.id);
    const written = { text, images, editing, original };
    if (editing !== null) {
      await conversation.reachMessage(editing);
      conversation.checkIdle();
    }
    conversation.checkWritable();
    // Fails here, before the draft is cleared: a retry may have set the message aside meanwhile.
    const parts = editing === null ? writtenParts(written) : editedParts(findUserMessage(session.state, editing), written);
    if (parts.length === 0) {
      throw failure('chat.emptyMessage');
    }
    // Before anything takes time: the same text must not be sent twice.
    this.#drafts.finish(session.id);
    try {
      if (editing === null) {
        await conversation.sendDraft(parts);
      } else {
        await conversation.editAfter(editing, parts, await this.#restorer(session.id, editing));
      }
    } catch (thrown) {
      // The message is not in the chat: its run was refused, or could not start.
      this.#putBack(session.id, written);
      throw thrown;
    }
  }

  #putBack(chatId: string, written: Written): void {
    if (written.editing === null) {
      this.#drafts.prepend(chatId, written);
    } else {
      this.#drafts.beginEdit(chatId, written.editing, written);
    }
    this.#drafts.keepOriginal(chatId, written.original);
  }

  /** Has the model shorten the text, which alone makes the request too long. A text that the user has changed meanwhile stays. */
  async shorten(session: ChatSession): Promise<void> {
    const { id } = session;
    const draft = this.#drafts.get(id);
    const { text, editing } = draft;
    const composed = await session.previewDraft(draft);
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

  /** Puts a text into the draft, at a place by UTF-16 unit. */
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

  /** Moves a queued message back into the composer, in front of the draft. */
  async takeBack(session: ChatSession, messageId: string): Promise<void> {
    this.#drafts.prepend(session.id, await session.conversation.takeBack(messageId));
    this.#focus();
  }

  /** Puts a sent message into the composer. Sending then replaces it and all after it. */
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
