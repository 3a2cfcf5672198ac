import { setImmediate } from 'node:timers/promises';
import type { AttemptRow } from '../../engine/accounting/attemptRow.js';
import { type ItemProofs, NEVER_HELD, type PricesOf, itemProofs } from '../../engine/accounting/itemProof.js';
import type { Clock } from '../../engine/ports.js';
import { type ItemProofView, PROOF_DAYS, type ProofFigures } from '../../protocol/panel/manager.js';
import type { ChatListItem } from '../../protocol/panel/view.js';
import type { Chats } from './chats.js';
import type { Catalog, CatalogItem } from '../../engine/context/catalogItem.js';
import { findDuplicates } from '../context/catalog/duplicateRules.js';

/** Rule files whose rules apply to the folder of the file and all its subfolders. */
const OF_A_FOLDER = /^(?<folder>(?:.*\/)?)(?<name>AGENTS\.md|CLAUDE\.md)$/;

/** Returns how often requests contained a catalog item, with rule files in subfolders and duplicates of the item. */
export async function proofView(key: string, item: CatalogItem, catalog: Catalog, proofs: ChatProofs): Promise<ItemProofView> {
  const { chat, recent, latest } = proofs;
  return {
    key,
    chat: figures(key, chat),
    recent: figures(key, recent),
    lastAt: recent.items.get(key)?.lastAt ?? null,
    nearer: latest.has(key) ? nearerRules(item, catalog, latest) : [],
    duplicates: await findDuplicates(item, catalog),
  };
}

/** Returns rule files of the same name in subfolders that the latest request contained, after the rules of `item`. */
function nearerRules(item: Pick<CatalogItem, 'source'>, catalog: Catalog, held: ReadonlySet<string>): readonly string[] {
  const own = OF_A_FOLDER.exec(item.source)?.groups;
  if (own === undefined) {
    return [];
  }
  return [...catalog].flatMap(([key, { source }]) => {
    const other = OF_A_FOLDER.exec(source)?.groups;
    const isBelow = other?.['name'] === own['name'] && source !== item.source && source.startsWith(own['folder'] ?? '');
    return isBelow && held.has(key) ? [source] : [];
  });
}

function figures(key: string, { requests, items }: ItemProofs): ProofFigures {
  const { lastAt: _lastAt, ...own } = items.get(key) ?? NEVER_HELD;
  return { requests, ...own };
}

/** How often requests contained each rule, reference and skill, in one chat and in all recent chats. */
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

/** The attempts of a chat as rows, and the `updatedAt` that the chat had when the rows were read. */
interface KnownRows {
  readonly updatedAt: number;
  readonly rows: readonly AttemptRow[];
}

export class Proofs {
  readonly #ports: ProofsPorts;
  /** The rows that were read last, by chat id: of recently changed chats, and of the chat passed to `read`. */
  #read: ReadonlyMap<string, KnownRows> = new Map();

  constructor(ports: ProofsPorts) {
    this.#ports = ports;
  }

  /** Computes the figures for one chat and for all recent chats. A chat that cannot be read is logged and skipped. */
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
