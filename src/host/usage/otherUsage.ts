import type { RequestHeld } from '../../engine/accounting/requestHeld.js';
import type { ChatAttempts } from '../../engine/accounting/usedAttempt.js';
import { failure, toLoupeError, type LoupeError } from '../../engine/errors.js';
import type { ChatStore } from '../../storage/chatStore.js';
import { ChatList } from '../chat/chatList.js';
import { ChatUsage } from '../chat/chatUsage.js';
import { UsageRows } from './usageRows.js';

export interface OtherUsagePorts {
  /** The storage folders of this computer's other workspaces. */
  readonly storages: () => Promise<readonly string[]>;
  /** The chats in a storage folder. */
  readonly storeAt: (root: string) => ChatStore;
  readonly logError: (error: LoupeError) => void;
}

/** The chats in one storage folder. */
interface OtherChats {
  readonly list: ChatList;
  readonly rows: UsageRows;
}

/** The usage of the chats of this computer's other workspaces, deleted ones included, as of the last reading. */
export class OtherUsage {
  readonly #ports: OtherUsagePorts;
  /** By storage folder; null until they have been read. */
  #read: ReadonlyMap<string, OtherChats> | null = null;

  constructor(ports: OtherUsagePorts) {
    this.#ports = ports;
  }

  /** Null until they have been read. */
  get chats(): readonly ChatAttempts[] | null {
    return this.#read === null ? null : [...this.#read.values()].flatMap(({ rows }) => rows.chats ?? []);
  }

  /** See `UsageRows.held`. */
  async held(chatIds: ReadonlySet<string>): Promise<ReadonlyMap<string, RequestHeld>> {
    const each = [...(this.#read?.values() ?? [])].map(({ rows }) => rows.held(chatIds));
    return new Map((await Promise.all(each)).flatMap((held) => [...held]));
  }

  /** By chat; deleted chats have none. */
  get titles(): ReadonlyMap<string, string> {
    const items = [...(this.#read?.values() ?? [])].flatMap(({ list }) => list.items());
    return new Map(items.map(({ id, title }) => [id, title]));
  }

  /** Reads the chats that are new or have changed. Reads all workspaces, and then rejects when one could not be read. */
  async readAll(): Promise<void> {
    const read = new Map<string, OtherChats>();
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

  #chatsAt(root: string): OtherChats {
    const { storeAt, logError } = this.#ports;
    const store = storeAt(root);
    const list = new ChatList(store, logError);
    const refresh = (): Promise<void> => list.refresh(() => false);
    // No chat of another workspace is open here, and nothing is added to it.
    const usage = new ChatUsage({ store, list, refresh, logError, open: { get: () => undefined }, tell: () => undefined });
    return { list, rows: new UsageRows({ refresh, usage, list: () => list.items() }) };
  }
}
