import { isDeepStrictEqual } from 'node:util';
import { isUntouched } from '../../engine/chat/chatMarkdown.js';
import type { ChatConfig } from '../../engine/chat/settings/config.js';
import type { SessionContextItem } from '../../engine/record/item.js';
import { alwaysItems } from '../context/catalog/catalogChoice.js';
import type { CatalogSource } from '../context/catalog/workspaceCatalog.js';
import type { ChatSession } from './chatSession.js';

export interface NewChatPorts {
  readonly catalog: Pick<CatalogSource, 'ofChat'>;
  /** Returns the chat settings of a new chat, from the current VS Code settings. */
  defaults(): ChatConfig;
  /** Returns the URIs of the workspace folders. */
  folders(): readonly string[];
}

/** What a new chat of the workspace begins with: settings, folders, and the items with the include mode `always`. */
export class NewChat {
  readonly #ports: NewChatPorts;

  constructor(ports: NewChatPorts) {
    this.#ports = ports;
  }

  get config(): ChatConfig {
    return this.#ports.defaults();
  }

  get folders(): readonly string[] {
    return this.#ports.folders();
  }

  async items(config: ChatConfig): Promise<readonly SessionContextItem[]> {
    return alwaysItems(await this.#ports.catalog.ofChat(config));
  }

  /** Whether a chat equals a chat that Loupe would create now. */
  async equals({ readOnly, state }: ChatSession): Promise<boolean> {
    const { config, folders } = this;
    const items = await this.items(config);
    const now = { config: state.config, folders: state.folders, items: [...state.context.values()] };
    return readOnly === null && isUntouched(state) && isDeepStrictEqual(now, { config, folders, items });
  }

  /** Assigns an untouched chat to the current workspace folders, with the items of a new chat there. */
  async takeFolders(session: ChatSession): Promise<void> {
    const { folders } = this;
    const { state, readOnly } = session;
    const items = await this.items(state.config);
    if (readOnly === null && isUntouched(state) && !isDeepStrictEqual(state.folders, folders)) {
      await session.record([{ type: 'folders-changed', folders }]);
      await session.context.put(items);
    }
  }
}
