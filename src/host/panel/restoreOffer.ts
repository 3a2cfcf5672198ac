import { failure, toLoupeError, type LoupeError } from '../../engine/errors.js';
import type { RestorableFile, RestoreOfferView } from '../../protocol/restorableFile.js';
import type { Drafts } from '../chat/drafts.js';
import type { FileRestores } from '../chat/fileRestores.js';

interface RestoreOfferPorts {
  readonly drafts: Pick<Drafts, 'get' | 'onChange'>;
  readonly restores: Pick<FileRestores, 'restorable' | 'restore'>;
  readonly changed: () => void;
  readonly fail: (error: LoupeError) => void;
}

/** What was found behind a message that is being edited. */
interface Offer {
  readonly chatId: string;
  readonly messageId: string;
  readonly files: readonly RestorableFile[];
  isOn: boolean;
}

/** Offers to restore the files that tools wrote behind the message that is being edited. It is on at first: the user takes a step back. */
export class RestoreOffer {
  readonly #ports: RestoreOfferPorts;
  readonly #endOfListening: () => void;
  #offer: Offer | null = null;
  /** The message whose files are looked for. */
  #wanted: string | null = null;

  constructor(ports: RestoreOfferPorts) {
    this.#ports = ports;
    this.#endOfListening = ports.drafts.onChange((chatId) => {
      this.#look(chatId);
    });
  }

  /** Null where nothing is edited, or nothing was written. */
  view(chatId: string): RestoreOfferView | null {
    const offer = this.#of(chatId);
    return offer === null || offer.files.length === 0 ? null : { messageId: offer.messageId, files: offer.files, isOn: offer.isOn };
  }

  set(chatId: string, isOn: boolean): void {
    const offer = this.#of(chatId);
    if (offer !== null) {
      offer.isOn = isOn;
      this.#ports.changed();
    }
  }

  /** Restores what is offered for a message, unless the user does not want it. What cannot be restored is told, and the message is sent all the same. */
  async restore(chatId: string, messageId: string): Promise<void> {
    const offer = this.#offer;
    if (offer === null || offer.chatId !== chatId || offer.messageId !== messageId || !offer.isOn) {
      return;
    }
    const paths = offer.files.flatMap(({ path, action }) => (action === null ? [] : [path]));
    const restored = await this.#ports.restores.restore(chatId, messageId, paths);
    const problems = restored.flatMap(({ problem }) => (problem === null ? [] : [problem]));
    if (problems.length > 0) {
      this.#ports.fail(failure('restore.refused', { reason: problems.join(' ') }));
    }
  }

  dispose(): void {
    this.#endOfListening();
  }

  #of(chatId: string): Offer | null {
    const { editing } = this.#ports.drafts.get(chatId);
    return this.#offer?.chatId === chatId && this.#offer.messageId === editing ? this.#offer : null;
  }

  /** Looks for files once for each edit: reading them takes a moment. */
  #look(chatId: string): void {
    const { editing } = this.#ports.drafts.get(chatId);
    if (editing === null || editing === this.#wanted) {
      this.#wanted = editing;
      return;
    }
    this.#wanted = editing;
    this.#ports.restores.restorable(chatId, editing).then(
      (files) => {
        if (this.#wanted === editing) {
          this.#offer = { chatId, messageId: editing, files, isOn: true };
          this.#ports.changed();
        }
      },
      (thrown: unknown) => {
        this.#ports.fail(toLoupeError(thrown));
      },
    );
  }
}
