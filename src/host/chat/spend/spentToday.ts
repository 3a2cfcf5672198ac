import type { AttemptUsage } from '../../../engine/accounting/attemptUsage.js';
import { spentTotals } from '../../../engine/chat/ledger.js';
import { isIn, periodAt, type Period, type PeriodUnit } from '../../../engine/accounting/periods.js';
import { distinctAttempts, NO_CHAT, type ChatAttempts, type LocalTime } from '../../../engine/accounting/usedAttempt.js';
import type { Clock } from '../../../engine/ports.js';
import type { SpentSum } from '../../../engine/spend/limits.js';
import type { SpentInPeriod } from '../../../protocol/panel/toWebview.js';
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
 * Computes the cost of the workspace on the local day or week, including deleted chats and requests outside of chats.
 * Reads existing chats only if they changed in that time.
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
    const { cost, unknownRequests } = this.#sumOf('day', await this.#rowsOf('day'));
    return { usd: cost ?? 0, isAtLeast: unknownRequests > 0 };
  }

  /** Returns the cost of the local day and of the local week. Rejects like `sum`. */
  async sums(): Promise<Readonly<Record<'day' | 'week', SpentInPeriod>>> {
    const rows = await this.#rowsOf('week');
    return { day: this.#sumOf('day', rows), week: this.#sumOf('week', rows) };
  }

  #period(unit: PeriodUnit): Period {
    const { localTime, clock } = this.#ports;
    return periodAt(unit, localTime(clock.now()));
  }

  #sumOf(unit: PeriodUnit, rows: readonly AttemptUsage[]): SpentInPeriod {
    const period = this.#period(unit);
    const { cost, unknownAttempts } = spentTotals(rows.filter(({ at }) => isIn(this.#ports.localTime(at), period)));
    return { cost, unknownRequests: unknownAttempts };
  }

  /** Returns all requests of the chats that changed in the period. Each request counts once. */
  async #rowsOf(unit: PeriodUnit): Promise<readonly AttemptUsage[]> {
    const { usage, refresh, list, localTime } = this.#ports;
    const { from } = this.#period(unit);
    await refresh();
    const deleted = await usage.deletedIds();
    const changed = list().filter(({ id }) => localTime(usage.changedAt(id)) >= from && !deleted.includes(id));
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
    return distinctAttempts(chats).flatMap(({ rows }) => rows);
  }
}
