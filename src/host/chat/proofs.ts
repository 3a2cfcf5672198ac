import { setImmediate } from 'node:timers/promises';
import type { AttemptRow } from '../../engine/accounting/attemptRow.js';
import { itemProofs, type ItemProofs, type PricesOf } from '../../engine/accounting/itemProof.js';
import type { Clock } from '../../engine/ports.js';
import { PROOF_DAYS } from '../../protocol/panel/itemProof.js';
import type { ChatListItem } from '../../protocol/panel/view.js';
import type { Chats } from './chats.js';

/** Which requests held the rules, references and skills of a workspace. */
export interface ChatProofs {
  /** The requests of one chat. */
  readonly chat: ItemProofs;
  /** Those of all chats in the last `PROOF_DAYS`. */
  readonly recent: ItemProofs;
  /** The keys of the items in the latest request of the chat. */
  readonly latest: ReadonlySet<string>;
}

export interface ProofsPorts {
  readonly chats: Pick<Chats, 'list' | 'isListed' | 'refresh' | 'usage'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly pricesOf: PricesOf;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** The rows of a chat's attempts, as of its last change. */
interface Read {
  readonly updatedAt: number;
  readonly rows: readonly AttemptRow[];
}

/** Counts over the rows of the attempts of all chats. */
export class Proofs {
  readonly #ports: ProofsPorts;
  /** By chat, of those that changed lately. */
  #read: ReadonlyMap<string, Read> = new Map();

  constructor(ports: ProofsPorts) {
    this.#ports = ports;
  }

  /** A chat that cannot be read is logged and not counted. */
  async read(chatId: string): Promise<ChatProofs> {
    const { clock, pricesOf } = this.#ports;
    const since = clock.now() - PROOF_DAYS * DAY_MS;
    this.#read = await this.#readChats(({ id, updatedAt }) => updatedAt >= since || id === chatId);
    const rows = this.#read.get(chatId)?.rows ?? [];
    const recent = [...this.#read.values()].flatMap((each) => each.rows).filter(({ at }) => at >= since);
    const latest = rows.findLast(({ request }) => request !== null)?.request?.items ?? [];
    return { chat: itemProofs(rows, pricesOf), recent: itemProofs(recent, pricesOf), latest: new Set(latest.map(({ key }) => key)) };
  }

  async #readChats(isWanted: (chat: ChatListItem) => boolean): Promise<ReadonlyMap<string, Read>> {
    const { chats } = this.#ports;
    if (!chats.isListed) {
      await chats.refresh();
    }
    const read = new Map<string, Read>();
    for (const { id, updatedAt, running } of chats.list().filter(isWanted)) {
      const known = this.#read.get(id);
      const isKnown = known?.updatedAt === updatedAt && !running;
      read.set(id, isKnown ? known : { updatedAt, rows: await chats.usage.attempts(id) });
      await setImmediate();
    }
    return read;
  }
}
