import { toLoupeError, type LoupeError } from '../../engine/errors.js';
import type { ChatListItem } from '../../protocol/view.js';
import type { ChatStore } from '../../storage/chatStore.js';
import type { ChatList } from './chatList.js';
import type { ChatSession } from './chatSession.js';
import type { OpenChats } from './openChats.js';

/** What another window did to a chat of this one. */
export interface OtherWindowListener {
  deleted(chat: Pick<ChatListItem, 'id' | 'title'>): void;
  broughtBack(chatId: string): void;
}

export interface OtherWindowsPorts {
  readonly store: Pick<ChatStore, 'isDeleted' | 'listChatIds'>;
  readonly open: OpenChats;
  readonly list: ChatList;
  /** A chat came, went or changed. */
  readonly tell: (chatId: string) => void;
  logError(error: LoupeError): void;
}

/** Takes over what other windows do: what they write to chats, the chats that they make, and those that they delete or bring back. */
export class OtherWindows {
  readonly #ports: OtherWindowsPorts;
  readonly #listeners = new Set<OtherWindowListener>();
  #isClosed = false;

  constructor(ports: OtherWindowsPorts) {
    this.#ports = ports;
  }

  onChange(listener: OtherWindowListener): void {
    this.#listeners.add(listener);
  }

  /** Other windows may have written to these chats, made them or deleted them. A failure is logged. */
  async look(chatIds: readonly string[]): Promise<void> {
    for (const chatId of chatIds) {
      try {
        await this.#lookAt(chatId);
      } catch (thrown) {
        this.#ports.logError(toLoupeError(thrown));
      }
    }
  }

  /** Looks at every chat that there is, or was. Rejects with `storage` when the chats cannot be listed. */
  async lookAtAll(): Promise<void> {
    const { store, open, list } = this.#ports;
    await this.look([...new Set([...(await store.listChatIds()), ...open.ids(), ...list.ids()])]);
  }

  /** Looks at the chats that are waited for, or that other windows are just creating: one that dies tells nobody. */
  async lookAtRuns(): Promise<void> {
    const { open, list } = this.#ports;
    const waiting = open.sessions().filter(({ waitsForOthers }) => waitsForOthers);
    await this.look([...waiting.map(({ id }) => id), ...list.beingCreated]);
  }

  /** What is seen from now on is of no interest. */
  close(): void {
    this.#isClosed = true;
  }

  async #lookAt(chatId: string): Promise<void> {
    const { store, open } = this.#ports;
    const isVain = open.beginLook(chatId);
    const isDeleted = await store.isDeleted(chatId);
    if (this.#isClosed || isVain()) {
      return;
    }
    const deleted = open.deleted(chatId);
    const opened = open.get(chatId);
    if (isDeleted) {
      await this.#deleted(chatId);
    } else if (deleted !== undefined) {
      await this.#broughtBack(chatId, await deleted);
    } else if (opened !== undefined) {
      await (await opened).look();
    } else {
      await this.#readRow(chatId);
    }
  }

  async #deleted(chatId: string): Promise<void> {
    const { open, list, tell } = this.#ports;
    const session = open.get(chatId);
    const item = list.get(chatId);
    if (session === undefined && item === undefined) {
      return;
    }
    open.setAside(chatId);
    tell(chatId);
    for (const listener of this.#listeners) {
      listener.deleted({ id: chatId, title: item?.title ?? 'The chat' });
    }
    await (await session)?.closeForDeletion();
  }

  async #broughtBack(chatId: string, session: ChatSession): Promise<void> {
    const { open, tell } = this.#ports;
    if (open.deleted(chatId) === undefined) {
      return;
    }
    open.putBack(chatId, session);
    tell(chatId);
    for (const listener of this.#listeners) {
      listener.broughtBack(chatId);
    }
    // What the chat refused while it was deleted.
    await session.retryStorage();
    await session.look();
  }

  async #readRow(chatId: string): Promise<void> {
    const { store, open, list, tell } = this.#ports;
    const isVain = open.beginLook(chatId);
    const item = (await store.listChatIds()).includes(chatId) ? await list.fromDisk(chatId) : null;
    if (!isVain() && !open.has(chatId) && list.put(item)) {
      tell(chatId);
    }
  }
}
