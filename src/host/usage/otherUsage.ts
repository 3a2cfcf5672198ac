import type { RequestHeld } from '../../engine/accounting/requestHeld.js';
import type { ChatAttempts } from '../../engine/accounting/usedAttempt.js';
import { failure, toLoupeError, type LoupeError } from '../../engine/errors.js';
import type { ChatStore } from '../../storage/chatStore.js';
import { ChatList } from '../chat/chatList.js';
import { ChatUsage } from '../chat/chatUsage.js';
import { UsageRows } from './usageRows.js';

export interface OtherUsagePorts {
  /** Returns the storage folders of the other workspaces on this computer. */
  readonly storages: () => Promise<readonly string[]>;
  readonly storeAt: (root: string) => ChatStore;
  readonly logError: (error: LoupeError) => void;
}

interface StorageChats {
  readonly list: ChatList;
  readonly rows: UsageRows;
}

/** The usage of all chats in other workspaces on this computer, including deleted chats, at the time of `readAll`. */
export class OtherUsage {
  readonly #ports: OtherUsagePorts;
  /** The chats by storage folder. Null until the first `readAll` has ended. */
  #read: ReadonlyMap<string, StorageChats> | null = null;

  constructor(ports: OtherUsagePorts) {
    this.#ports = ports;
  }

  /** The usage of each chat. Null until the first `readAll` has ended. */
  get chats(): readonly ChatAttempts[] | null {
    return this.#read === null ? null : [...this.#read.values()].flatMap(({ rows }) => rows.chats ?? []);
  }

  async held(chatIds: ReadonlySet<string>): Promise<ReadonlyMap<string, RequestHeld>> {
    const each = [...(this.#read?.values() ?? [])].map(({ rows }) => rows.held(chatIds));
    return new Map((await Promise.all(each)).flatMap((held) => [...held]));
  }

  /** The titles of chats, by chat id. Deleted chats have no title. */
  get titles(): ReadonlyMap<string, string> {
    const items = [...(this.#read?.values() ?? [])].flatMap(({ list }) => list.items());
    return new Map(items.map(({ id, title }) => [id, title]));
  }

  /** Reads new and changed chats. If some workspaces fail, reads the other workspaces, then rejects. */
  async readAll(): Promise<void> {
    const read = new Map<string, StorageChats>();
    let failed = 0;
    for (const root of await this.#ports.storages()) {
      const chats = this.#read?.get(root) ?? this.#chatsAt(root);
      try {
        await chats.rows.readAll();
      } catch (thrown) {
        this.#ports.logError(toLoupeError(thrown));
        failed += 1;
      }
      read.set(root, chats);
    }
    this.#read = read;
    if (failed > 0) {
      throw failure('storage.othersUnread', { count: failed });
    }
  }

  #chatsAt(root: string): StorageChats {
    const { storeAt, logError } = this.#ports;
    const store = storeAt(root);
    const list = new ChatList(store, logError);
    const refresh = (): Promise<void> => list.refresh(() => false);
    // This window never opens chats of other workspaces, and so adds no usage to them.
    const usage = new ChatUsage({ store, list, refresh, logError, open: { get: () => undefined }, tell: () => undefined });
    return { list, rows: new UsageRows({ refresh, usage, list: () => list.items() }) };
  }
}
