import { setImmediate } from 'node:timers/promises';
import type { AttemptRow } from '../../engine/accounting/attemptRow.js';
import { itemProofs, type ItemProofs, type PricesOf } from '../../engine/accounting/itemProof.js';
import type { Clock } from '../../engine/ports.js';
import { PROOF_DAYS } from '../../protocol/panel/itemProof.js';
import type { ChatListItem } from '../../protocol/panel/view.js';
import type { Chats } from './chats.js';

/** How often requests held each rule, reference and skill of a workspace. */
export interface ChatProofs {
  readonly chat: ItemProofs;
  readonly recent: ItemProofs;
  readonly latest: ReadonlySet<string>;
}

export interface ProofsPorts {
  readonly chats: Pick<Chats, 'list' | 'isListed' | 'refresh' | 'usage'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly pricesOf: PricesOf;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** The rows of the attempts of a chat, as of its last change. */
interface KnownRows {
  readonly updatedAt: number;
  readonly rows: readonly AttemptRow[];
}

export class Proofs {
  readonly #ports: ProofsPorts;
  /** The rows that were read last, by chat. Contains only recently changed chats. */
  #read: ReadonlyMap<string, KnownRows> = new Map();

  constructor(ports: ProofsPorts) {
    this.#ports = ports;
  }

  /** Counts for one chat and for all recent chats. A chat that cannot be read is logged and not counted. */
  async read(chatId: string): Promise<ChatProofs> {
    const { clock, pricesOf } = this.#ports;
    const since = clock.now() - PROOF_DAYS * DAY_MS;
    this.#read = await this.#readChats(({ id, updatedAt }) => updatedAt >= since || id === chatId);
    const rows = this.#read.get(chatId)?.rows ?? [];
    const recent = [...this.#read.values()].flatMap((each) => each.rows).filter(({ at }) => at >= since);
    const latest = rows.findLast(({ request }) => request !== null)?.request?.items ?? [];
    return { chat: itemProofs(rows, pricesOf), recent: itemProofs(recent, pricesOf), latest: new Set(latest.map(({ key }) => key)) };
  }

  async #readChats(isWanted: (chat: ChatListItem) => boolean): Promise<ReadonlyMap<string, KnownRows>> {
    const { chats } = this.#ports;
    if (!chats.isListed) {
      await chats.refresh();
    }
    const read = new Map<string, KnownRows>();
    for (const { id, updatedAt, running } of chats.list().filter(isWanted)) {
      const known = this.#read.get(id);
      const isKnown = known?.updatedAt === updatedAt && !running;
      read.set(id, isKnown ? known : { updatedAt, rows: await chats.usage.attempts(id) });
      await setImmediate();
    }
    return read;
  }
}
