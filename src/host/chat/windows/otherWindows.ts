import { type LoupeError, logFailure } from '../../../engine/errors.js';
import type { ChatListItem } from '../../../protocol/panel/view.js';
import type { ChatStore } from '../../../storage/chatStore.js';
import type { ChatList } from '../chatList.js';
import type { ChatSession } from '../chatSession.js';
import type { OpenChats } from './openChats.js';

export interface ChatDeletedElsewhere extends Pick<ChatListItem, 'id' | 'title'> {
  /** Whether this VS Code window was answering in the chat, or had events that are not on disk. */
  readonly hasUnsaved: boolean;
}

/** Called when another VS Code window deleted or restored a chat that is open or listed in this window. */
export interface OtherWindowListener {
  deleted(chat: ChatDeletedElsewhere): void;
  restored(chatId: string): void;
}

export interface OtherWindowsPorts {
  readonly store: Pick<ChatStore, 'isDeleted' | 'listChatIds'>;
  readonly open: OpenChats;
  readonly list: ChatList;
  /** Called with the id of a chat that was added, removed or changed. */
  readonly tell: (chatId: string) => void;
  logError(error: LoupeError): void;
}

/** Applies what other VS Code windows do: new events, new chats, deletions and restored chats. */
export class OtherWindows {
  readonly #ports: OtherWindowsPorts;
  readonly #listeners = new Set<OtherWindowListener>();
  #isClosed = false;

  constructor(ports: OtherWindowsPorts) {
    this.#ports = ports;
  }

  /** Calls `listener` when another VS Code window deletes or restores a chat. Returns a function that removes it. */
  onChange(listener: OtherWindowListener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Reads what other VS Code windows did to these chats: new events, new chats, deletions. A failure is logged. */
  async poll(chatIds: readonly string[]): Promise<void> {
    for (const chatId of chatIds) {
      await this.#pollChat(chatId).catch(logFailure(this.#ports));
    }
  }

  /** Polls every chat on disk, open or only listed. Rejects with `storage` when the chats cannot be listed. */
  async pollAll(): Promise<void> {
    const { store, open, list } = this.#ports;
    await this.poll([...new Set([...(await store.listChatIds()), ...open.ids(), ...list.ids()])]);
  }

  /** Polls chats that wait for another window or that another window creates: its crash causes no file event. */
  async pollRuns(): Promise<void> {
    const { open, list } = this.#ports;
    const waiting = open.sessions().filter(({ waitsForOthers }) => waitsForOthers);
    await this.poll([...waiting.map(({ id }) => id), ...list.beingCreated]);
  }

  /** Ignores the results of polls from now on. */
  close(): void {
    this.#isClosed = true;
  }

  async #pollChat(chatId: string): Promise<void> {
    const { store, open } = this.#ports;
    const isStale = open.beginPoll(chatId);
    const isDeleted = await store.isDeleted(chatId);
    if (this.#isClosed || isStale()) {
      return;
    }
    const deleted = open.deleted(chatId);
    const opened = open.get(chatId);
    if (isDeleted) {
      await this.#deleted(chatId);
    } else if (deleted !== undefined) {
      await this.restored(chatId, await deleted);
    } else if (opened !== undefined) {
      await (await opened).poll();
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
    const loaded = open.sessions().find(({ id }) => id === chatId);
    const hasUnsaved = loaded !== undefined && (loaded.conversation.isRunning || loaded.saving.state.kind !== 'saved');
    open.markDeleted(chatId);
    tell(chatId);
    for (const listener of this.#listeners) {
      listener.deleted({ id: chatId, title: item?.title ?? 'New chat', hasUnsaved });
    }
    await (await session)?.closeForDeletion('anotherWindow');
  }

  /** Gives a restored chat its old session. Logs a failed save. */
  async restored(chatId: string, session: ChatSession): Promise<void> {
    const { open, tell } = this.#ports;
    if (open.deleted(chatId) === undefined) {
      return;
    }
    open.putBack(chatId, session);
    tell(chatId);
    for (const listener of this.#listeners) {
      listener.restored(chatId);
    }
    // Save events again that could not be saved while the chat was deleted.
    await session.saving.retry().catch(logFailure(this.#ports));
    await session.poll();
  }

  async #readRow(chatId: string): Promise<void> {
    const { store, open, list, tell } = this.#ports;
    const isVain = open.beginPoll(chatId);
    const item = (await store.listChatIds()).includes(chatId) ? await list.fromDisk(chatId) : null;
    if (!isVain() && !open.has(chatId) && list.put(item)) {
      tell(chatId);
    }
  }
}
