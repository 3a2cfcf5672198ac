import { isUnsentAndOvertaken } from '../../../engine/chat/branch.js';
import type { ChatState } from '../../../engine/chat/state.js';
import { failure, toLoupeError, type LoupeError } from '../../../engine/errors.js';
import type { RestorableFile, RestoreOfferView } from '../../../protocol/panel/restorableFile.js';
import type { Conversation } from '../../chat/runs/conversation.js';
import type { Drafts } from '../../chat/drafts.js';
import type { FileRestores } from '../../chat/files/fileRestores.js';

interface RestoreOfferPorts {
  readonly drafts: Pick<Drafts, 'get' | 'onChange'>;
  readonly restores: Pick<FileRestores, 'restorable' | 'restorer'>;
  readonly changed: () => void;
  readonly fail: (error: LoupeError) => void;
}

/** A chat, as far as a retry needs it. */
interface RetriedChat {
  readonly id: string;
  readonly state: ChatState;
  readonly conversation: Pick<Conversation, 'checkIdle' | 'retry' | 'retryAfter'>;
}

/** What was found behind a message that is being edited or answered anew. */
interface Offer {
  readonly chatId: string;
  readonly messageId: string;
  readonly files: readonly RestorableFile[];
  isOn: boolean;
}

/**
 * Offers to restore the files that tools wrote behind the message that is being edited, or answered anew. It is on at first: the user takes
 * a step back. A retry waits for the answer.
 */
export class RestoreOffer {
  readonly #ports: RestoreOfferPorts;
  readonly #endOfListening: () => void;
  #edit: Offer | null = null;
  #retry: Offer | null = null;
  /** The message whose files are looked for. */
  #wanted: string | null = null;

  constructor(ports: RestoreOfferPorts) {
    this.#ports = ports;
    this.#endOfListening = ports.drafts.onChange((chatId) => {
      this.#look(chatId);
    });
  }

  /** Null where nothing was written behind what is edited or answered anew. */
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
   * Resolves to what restores the files that are offered for the edit of a message; null without any, and where the user does not want it.
   * It shows what cannot be restored, and the message is sent all the same.
   */
  async restorer(chatId: string, messageId: string): Promise<(() => Promise<void>) | null> {
    const offer = this.#edit;
    return offer !== null && offer.chatId === chatId && offer.messageId === messageId ? this.#restorer(offer) : null;
  }

  /** Answers a message anew. Where files can be restored with it, the user is asked first, and this only asks. */
  async retry({ id: chatId, state, conversation }: RetriedChat, messageId: string): Promise<void> {
    conversation.checkIdle();
    // Then nothing is set aside.
    const files = isUnsentAndOvertaken(state, messageId) ? [] : await this.#ports.restores.restorable(chatId, messageId);
    if (files.every(({ action }) => action === null)) {
      await conversation.retry(messageId);
      return;
    }
    this.#retry = { chatId, messageId, files, isOn: true };
    this.#ports.changed();
  }

  /** The user's answer to the question of a retry. Rejects with `invalidInput` when it is not asked any more. */
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

  /** The user does something else. */
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
      const problems = (await restore()).flatMap(({ problem }) => (problem === null ? [] : [problem]));
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

  /** Looks for files once for each edit: reading them takes a moment. */
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
