import { lastRun } from '../../../engine/chat/branch.js';
import type { ChatState } from '../../../engine/chat/state.js';
import { type LoupeError, toLoupeError } from '../../../engine/errors.js';
import type { ItemProofView } from '../../../protocol/panel/itemProof.js';
import { type Proofs, proofView } from '../../chat/proofs.js';
import { catalogSettingsKey } from '../../context/catalog/chatCatalogs.js';
import type { CatalogSource } from '../../context/catalog/workspaceCatalog.js';

export interface OpenProofPorts {
  readonly proofs: Pick<Proofs, 'read'>;
  readonly catalog: Pick<CatalogSource, 'ofChat'>;
  readonly logError: (error: LoupeError) => void;
}

/** Reads which requests contained the item of the open row. Until then, the previous result stays visible. */
export class OpenProof {
  readonly #ports: OpenProofPorts;
  readonly #changed: () => void;
  /** Identifies the wanted result: the open row, and the requests of the chat so far. */
  #wanted = '';
  #known: { readonly chatId: string; readonly view: ItemProofView } | null = null;

  /** `changed` is called after each read. */
  constructor(ports: OpenProofPorts, changed: () => void) {
    this.#ports = ports;
    this.#changed = changed;
  }

  /** Returns the last result for a row. Null without an open row, and before the first read. */
  of(key: string | null, state: ChatState): ItemProofView | null {
    if (key === null) {
      return null;
    }
    const wanted = [state.chatId, catalogSettingsKey(state.config), key, state.attempts.size, lastRun(state)?.status].join(' ');
    if (wanted !== this.#wanted) {
      this.#wanted = wanted;
      void this.#read(key, state, wanted);
    }
    return this.#known?.chatId === state.chatId && this.#known.view.key === key ? this.#known.view : null;
  }

  async #read(key: string, { chatId, config }: ChatState, wanted: string): Promise<void> {
    const { proofs, catalog, logError } = this.#ports;
    try {
      const items = await catalog.ofChat(config);
      const item = items.get(key);
      const view = item === undefined ? null : await proofView(key, item, items, await proofs.read(chatId));
      if (view !== null && wanted === this.#wanted) {
        this.#known = { chatId, view };
        this.#changed();
      }
    } catch (thrown) {
      logError(toLoupeError(thrown));
    }
  }
}
