import { isUnsentAndOvertaken } from '../../../engine/chat/branch.js';
import type { ChatState } from '../../../engine/chat/state.js';
import { failure, toLoupeError, type LoupeError } from '../../../engine/errors.js';
import type { RestorableFile, RestoreOfferView } from '../../../protocol/panel/toolCalls.js';
import type { Conversation } from '../../chat/runs/conversation.js';
import type { Drafts } from '../../chat/drafts.js';
import type { FileRestores } from '../../chat/files/fileRestores.js';

interface RestoreOfferPorts {
  readonly drafts: Pick<Drafts, 'get' | 'onChange'>;
  readonly restores: Pick<FileRestores, 'restorable' | 'restorer'>;
  readonly changed: () => void;
  readonly fail: (error: LoupeError) => void;
}

/** The parts of a chat that a retry needs. */
interface RetriedChat {
  readonly id: string;
  readonly state: ChatState;
  readonly conversation: Pick<Conversation, 'checkIdle' | 'retry' | 'retryAfter'>;
}

/** The files that tools changed after the edited or retried message. */
interface Offer {
  readonly chatId: string;
  readonly messageId: string;
  readonly files: readonly RestorableFile[];
  isOn: boolean;
}

/**
 * Offers to restore files that tools wrote after a message that the user edits or retries. The offer is selected at
 * first, because the user returns to an earlier state. A retry waits for the user's choice.
 */
export class RestoreOffer {
  readonly #ports: RestoreOfferPorts;
  readonly #endOfListening: () => void;
  #edit: Offer | null = null;
  #retry: Offer | null = null;
  /** Id of the edited message of the last search for files. Null without an edit. */
  #wanted: string | null = null;

  constructor(ports: RestoreOfferPorts) {
    this.#ports = ports;
    this.#endOfListening = ports.drafts.onChange((chatId) => {
      this.#look(chatId);
    });
  }

  /** Returns the offer for the panel; null without an edit or retry, or when no tool wrote a file after the message. */
  view(chatId: string): RestoreOfferView | null {
    const retry = this.#retryOf(chatId);
    const offer = retry ?? this.#editOf(chatId);
    return offer === null || offer.files.length === 0
      ? null
      : { cause: retry === null ? 'edit' : 'retry', messageId: offer.messageId, files: offer.files, isOn: offer.isOn };
  }

  set(chatId: string, isOn: boolean): void {
    const offer = this.#retryOf(chatId) ?? this.#editOf(chatId);
    if (offer !== null) {
      offer.isOn = isOn;
      this.#ports.changed();
    }
  }

  /**
   * Returns a function that restores the offered files for an edit. Null without offered files, or when the user
   * declined. The function shows which files cannot be restored. The message is sent in any case.
   */
  async restorer(chatId: string, messageId: string): Promise<(() => Promise<void>) | null> {
    const offer = this.#edit;
    return offer !== null && offer.chatId === chatId && offer.messageId === messageId ? this.#restorer(offer) : null;
  }

  /** Retries a message. If files can be restored, shows the offer first; `answerRetry` then retries. */
  async retry({ id: chatId, state, conversation }: RetriedChat, messageId: string): Promise<void> {
    conversation.checkIdle();
    // A retry of an unsent message with later messages replaces none of them, so there is no file to restore.
    const files = isUnsentAndOvertaken(state, messageId) ? [] : await this.#ports.restores.restorable(chatId, messageId);
    if (files.every(({ action }) => action === null)) {
      await conversation.retry(messageId);
      return;
    }
    this.#retry = { chatId, messageId, files, isOn: true };
    this.#ports.changed();
  }

  /** Handles the user's answer to the offer of a retry. Rejects with `invalidInput` when the offer no longer exists. */
  async answerRetry({ id, conversation }: RetriedChat, goesOn: boolean): Promise<void> {
    const offer = this.#retryOf(id);
    if (offer === null) {
      throw failure('chat.notAsked');
    }
    this.dropRetry(id);
    if (goesOn) {
      await conversation.retryAfter(offer.messageId, await this.#restorer(offer));
    }
  }

  /** Removes the offer of a retry. Call this when the user does something else instead. */
  dropRetry(chatId: string): void {
    if (this.#retryOf(chatId) !== null) {
      this.#retry = null;
      this.#ports.changed();
    }
  }

  dispose(): void {
    this.#endOfListening();
  }

  async #restorer({ chatId, messageId, files, isOn }: Offer): Promise<(() => Promise<void>) | null> {
    const paths = files.flatMap(({ path, action }) => (action === null ? [] : [path]));
    if (!isOn || paths.length === 0) {
      return null;
    }
    const restore = await this.#ports.restores.restorer(chatId, messageId, paths);
    return async () => {
      const problems = await restore();
      if (problems.length > 0) {
        this.#ports.fail(failure('restore.refused', { reason: problems.join(' ') }));
      }
    };
  }

  #retryOf(chatId: string): Offer | null {
    return this.#retry?.chatId === chatId ? this.#retry : null;
  }

  #editOf(chatId: string): Offer | null {
    const { editing } = this.#ports.drafts.get(chatId);
    return this.#edit?.chatId === chatId && this.#edit.messageId === editing ? this.#edit : null;
  }

  /** Searches restorable files when the user edits a message. Searches once per edit, because reading takes time. */
  #look(chatId: string): void {
    const { editing } = this.#ports.drafts.get(chatId);
    if (editing === null || editing === this.#wanted) {
      this.#wanted = editing;
      return;
    }
    this.#wanted = editing;
    this.dropRetry(chatId);
    this.#ports.restores.restorable(chatId, editing).then(
      (files) => {
        if (this.#wanted === editing) {
          this.#edit = { chatId, messageId: editing, files, isOn: true };
          this.#ports.changed();
        }
      },
      (thrown: unknown) => {
        this.#ports.fail(toLoupeError(thrown));
      },
    );
  }
}
