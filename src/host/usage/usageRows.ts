import { setImmediate } from 'node:timers/promises';
import type { AttemptUsage } from '../../engine/accounting/attemptUsage.js';
import type { RequestHeld } from '../../engine/accounting/requestHeld.js';
import { NO_CHAT, type ChatAttempts } from '../../engine/accounting/usedAttempt.js';
import type { Chats } from '../chat/chats.js';

export type UsageRowsPorts = Pick<Chats, 'list' | 'refresh' | 'usage'>;

interface CachedUsage {
  readonly stamp: string;
  readonly rows: readonly AttemptUsage[];
}

const AT_ONCE = 8;

export class UsageRows {
  readonly #chats: UsageRowsPorts;
  /** The usage of each chat, by chat id. Null until the first reading has ended. */
  #read: ReadonlyMap<string, CachedUsage> | null = null;

  constructor(chats: UsageRowsPorts) {
    this.#chats = chats;
  }

  /** The usage of each chat. Null until the first reading has ended. */
  get chats(): readonly ChatAttempts[] | null {
    return this.#read === null ? null : [...this.#read].map(([chatId, { rows }]) => ({ chatId, rows }));
  }

  /** Reads all chats that are new or have changed since the last reading. */
  async readAll(): Promise<void> {
    await this.#chats.refresh();
    const stamps = await this.#stamps();
    const read = new Map<string, CachedUsage>();
    for (const ids = [...stamps.keys()]; ids.length > 0; ) {
      const found = await Promise.all(
        ids.splice(0, AT_ONCE).map(async (id) => [id, await this.#rowsOf(id, stamps.get(id) ?? null)] as const),
      );
      for (const [id, each] of found) {
        read.set(id, each);
      }
      await setImmediate();
    }
    this.#read = read;
  }

  /** Reads these chats again. Removes the rows of chats that no longer exist. */
  async readAgain(chatIds: Iterable<string>): Promise<void> {
    const stamps = await this.#stamps();
    for (const id of chatIds) {
      const stamp = stamps.get(id);
      const found = stamp === undefined ? undefined : await this.#rowsOf(id, null);
      const read = new Map(this.#read);
      read.delete(id);
      this.#read = found === undefined ? read : read.set(id, found);
    }
  }

  /** Returns the content of each request of these chats, by attempt id. Skips deleted chats, which keep only usage. */
  async held(chatIds: ReadonlySet<string>): Promise<ReadonlyMap<string, RequestHeld>> {
    const held = new Map<string, RequestHeld>();
    for (const { id } of this.#chats.list().filter((chat) => chatIds.has(chat.id))) {
      for (const row of await this.#chats.usage.attempts(id)) {
        if (row.held !== null) {
          held.set(row.id, row.held);
        }
      }
    }
    return held;
  }

  /** Returns a text for each chat that differs after each change. Null for a running chat, which is read every time. */
  async #stamps(): Promise<ReadonlyMap<string, string | null>> {
    const deleted = (await this.#chats.usage.deletedIds()).map((id) => [id, 'deleted'] as const);
    const listed = this.#chats.list().map(({ id, running }) => [id, running ? null : String(this.#chats.usage.changedAt(id))] as const);
    return new Map<string, string | null>([[NO_CHAT, null], ...deleted, ...listed]);
  }

  async #rowsOf(chatId: string, stamp: string | null): Promise<CachedUsage> {
    const known = this.#read?.get(chatId);
    return known !== undefined && known.stamp === stamp ? known : { stamp: stamp ?? '', rows: await this.#chats.usage.usages(chatId) };
  }
}
