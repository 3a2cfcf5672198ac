import { findUserMessage } from '../../engine/chat/branch.js';
import { writtenContent, writtenParts } from '../../engine/chat/message.js';
import { failure, toLoupeError } from '../../engine/errors.js';
import type { ChatSession } from '../chat/chatSession.js';
import type { Draft, Drafts, DraftToPreview } from '../chat/drafts.js';
import { mayAnswer } from '../chat/mayAnswer.js';
import { overBudget, shorteningOf } from '../request/overBudget.js';

/** What was in the composer. */
type Written = Pick<Draft, 'text' | 'images' | 'editing' | 'original'>;

/** What the user does with the text in the composer. */
export class DraftActions {
  readonly #drafts: Drafts;
  readonly #focus: () => void;

  readonly #restore: (chatId: string, messageId: string) => Promise<void>;

  /** `focus` puts the cursor into the composer; `restore` restores the files that the user wants restored with the edit of a message. */
  constructor(drafts: Drafts, focus: () => void, restore: (chatId: string, messageId: string) => Promise<void>) {
    this.#drafts = drafts;
    this.#focus = focus;
    this.#restore = restore;
  }

  /**
   * Sends the text now or after the reply that is being written, or replaces the message being edited. Resolves when the
   * run has ended. A text that makes the request too long stays in the composer, where the next request says why.
   */
  async send(session: ChatSession, text: string): Promise<void> {
    const { conversation } = session;
    const { images, editing, original } = this.#drafts.get(session.id);
    const written = { text, images, editing, original };
    const parts = writtenParts(written);
    if (editing !== null) {
      await conversation.reachMessage(editing);
      conversation.checkIdle();
    }
    conversation.checkWritable();
    if (parts.length === 0) {
      throw failure('chat.emptyMessage');
    }
    if (editing !== null) {
      // Fails here, before the draft is cleared: a retry may have set the message aside meanwhile.
      findUserMessage(session.state, editing);
    }
    // Before anything takes time: the same text must not be sent twice.
    this.#drafts.finish(session.id);
    if (!conversation.isRunning && !conversation.isWaiting && !(await this.#mayBeSent(session, written))) {
      return;
    }
    try {
      if (editing === null) {
        await conversation.sendParts(parts);
        return;
      }
      await this.#restore(session.id, editing);
      await conversation.editParts(editing, parts);
    } catch (thrown) {
      if (editing !== null && toLoupeError(thrown).code === 'chat.busyElsewhere') {
        // Nothing was set aside: the text becomes the draft of the edit again.
        this.#putBack(session.id, written);
      }
      throw thrown;
    }
  }

  /** Whether a message that has left the composer may be sent. One that may not is back there. */
  async #mayBeSent(session: ChatSession, written: Written): Promise<boolean> {
    const { id } = session;
    if (await isTooLong(session, written)) {
      this.#putBack(id, written);
      return false;
    }
    return this.#isAllowed(session, written);
  }

  /** Whether the limits of what is spent, or the user, allow the message. While the user is asked it is in the composer, where it outlives the window. */
  async #isAllowed(session: ChatSession, written: Written): Promise<boolean> {
    const { id } = session;
    const changed = new AbortController();
    let takeBack = (): void => undefined;
    let stopListening = (): void => undefined;
    const asked = (): void => {
      const { text: typed, images } = this.#drafts.get(id);
      this.#putBack(id, written);
      const shown = this.#drafts.get(id);
      takeBack = () => {
        this.#drafts.finish(id);
        if (written.editing === null) {
          this.#drafts.prepend(id, { text: typed, images });
        }
      };
      // Another text is another question.
      stopListening = this.#drafts.onChange((chatId) => {
        const { text, editing } = this.#drafts.get(id);
        if (chatId === id && (text !== shown.text || editing !== shown.editing)) {
          changed.abort();
        }
      });
    };
    try {
      if (!(await mayAnswer(session, written, { signal: changed.signal, asked }))) {
        return false;
      }
    } finally {
      stopListening();
    }
    takeBack();
    return true;
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

/** Whether the request with this text is over its budget. Of a request that cannot be composed the run tells why. */
async function isTooLong(session: ChatSession, draft: DraftToPreview): Promise<boolean> {
  try {
    return overBudget(await session.previewDraft(draft)) !== null;
  } catch {
    return false;
  }
}
