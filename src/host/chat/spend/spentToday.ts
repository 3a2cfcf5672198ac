import type { AttemptUsage } from '../../../engine/accounting/attemptUsage.js';
import { spentTotals } from '../../../engine/chat/ledger.js';
import { isIn, periodAt } from '../../../engine/accounting/periods.js';
import { distinctAttempts, NO_CHAT, type ChatAttempts, type LocalTime } from '../../../engine/accounting/usedAttempt.js';
import type { Clock } from '../../../engine/ports.js';
import type { SpentSum } from '../../../engine/spend/limits.js';
import type { ChatListItem } from '../../../protocol/panel/view.js';
import type { ChatUsage } from '../chatUsage.js';

export interface SpentTodayPorts {
  readonly usage: Pick<ChatUsage, 'changedAt' | 'usages' | 'deletedIds'>;
  /** Reads the list of chats again, because another VS Code window may have sent requests. */
  readonly refresh: () => Promise<void>;
  readonly list: () => readonly Pick<ChatListItem, 'id'>[];
  readonly localTime: LocalTime;
  readonly clock: Clock;
}

/**
 * Computes the cost of the workspace on the local day, including deleted chats and requests outside of chats. Reads
 * existing chats only if they changed on that day.
 */
export class SpentToday {
  readonly #ports: SpentTodayPorts;
  /** The usage of each deleted chat, by id. A deleted chat no longer changes, so its usage is read only once. */
  readonly #deleted = new Map<string, readonly AttemptUsage[]>();

  constructor(ports: SpentTodayPorts) {
    this.#ports = ports;
  }

  /** Returns the cost. Rejects with `storage` when the chats cannot be listed. Logs and skips unreadable chats. */
  async sum(): Promise<SpentSum> {
    const { usage, refresh, list, localTime, clock } = this.#ports;
    const day = periodAt('day', localTime(clock.now()));
    await refresh();
    const deleted = await usage.deletedIds();
    const changed = list().filter(({ id }) => localTime(usage.changedAt(id)) >= day.from && !deleted.includes(id));
    for (const id of this.#deleted.keys()) {
      // The chat was restored, so its usage may grow again.
      if (!deleted.includes(id)) {
        this.#deleted.delete(id);
      }
    }
    const chats: ChatAttempts[] = [{ chatId: NO_CHAT, rows: await usage.usages(NO_CHAT) }];
    for (const chatId of deleted) {
      const rows = this.#deleted.get(chatId) ?? (await usage.usages(chatId));
      this.#deleted.set(chatId, rows);
      chats.push({ chatId, rows });
    }
    for (const { id: chatId } of changed) {
      chats.push({ chatId, rows: await usage.usages(chatId) });
    }
    const rows = distinctAttempts(chats).flatMap((chat) => chat.rows);
    const { cost, unknownAttempts } = spentTotals(rows.filter(({ at }) => isIn(localTime(at), day)));
    return { usd: cost ?? 0, isAtLeast: unknownAttempts > 0 };
  }
}
