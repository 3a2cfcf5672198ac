import type { PricesOf } from '../../engine/accounting/itemProof.js';
import type { ModelRef } from '../../engine/model/modelRef.js';
import { failure, type LoupeError } from '../../engine/errors.js';
import { isIn, periodAt } from '../../engine/accounting/periods.js';
import { NO_CHAT, type LocalTime, type UsedAttempt } from '../../engine/accounting/usedAttempt.js';
import { FIRST_QUERY, USAGE_STATE, type UsageDelta, type UsageQuery, type UsageState } from '../../protocol/usage/usage.js';
import type { Chats } from '../chat/chats.js';
import type { ModelRegistry } from '../models/registry.js';
import { type ProviderQuotas, quotaInWords } from '../chat/quota/providerQuotas.js';
import { ShownLimits, type ShownLimitsPorts } from '../chat/spend/shownLimits.js';
import { ReadingQueue } from '../window/reading.js';
import { derived, ViewChannel, type ViewSlices } from '../window/viewChannel.js';
import type { ExportedUsage } from './usageExport.js';
import {
  currentPeriod,
  filteredAttempts,
  latestPeriod,
  type UsageSource,
  usageFigures,
  usageRequests,
  usedAttempts,
} from './usageState.js';
import type { ChatTurnsReader, ReadTurns } from './chatTurnsReader.js';
import type { OtherUsage } from './otherUsage.js';
import { usageTurns } from './turnsState.js';
import type { UsageRows } from './usageRows.js';

export interface UsagePorts {
  readonly chats: Pick<Chats, 'list' | 'onChange'> & ShownLimitsPorts['chats'];
  readonly settings: ShownLimitsPorts['settings'];
  readonly rows: UsageRows;
  readonly others: Pick<OtherUsage, 'chats' | 'titles' | 'readAll' | 'held'>;
  readonly turns: Pick<ChatTurnsReader, 'read'>;
  readonly quotas: Pick<ProviderQuotas, 'now'>;
  readonly models: Pick<ModelRegistry, 'providerLabel'>;
  readonly now: () => number;
  readonly localTime: LocalTime;
  readonly pricesOf: PricesOf;
  readonly labelOf: (model: ModelRef) => string;
  readonly logError: (error: LoupeError) => void;
}

/** The name for requests outside of chats. */
const OUTSIDE = 'Outside of chats';

/** Pause between updates, in ms. During a reply a chat changes often, but its usage changes only at the end. */
const SETTLE_MS = 250;

/** The state of the usage tab: the usage of all chats of this workspace or of this computer. */
export class UsageView {
  readonly channel: ViewChannel<UsageState, UsageDelta, UsageQuery, never, 'read'>;
  readonly #ports: UsagePorts;
  readonly #endOfChanges: () => void;
  #query = FIRST_QUERY;
  readonly #reading: ReadingQueue;
  readonly #turnReading: ReadingQueue;
  readonly limits: ShownLimits;
  /** The turns of the chat that the query selects. Null until they are read. */
  #turns: ReadTurns | null = null;
  #quotas: UsageState['quotas'] = [];
  /** Ids of chats that have changed since Loupe read them. */
  readonly #changed = new Set<string>();
  #settling: NodeJS.Timeout | undefined;

  constructor(ports: UsagePorts) {
    this.#ports = ports;
    const changed = (): void => {
      this.channel.changed('read');
    };
    this.#reading = new ReadingQueue({ logError: ports.logError, changed });
    this.#turnReading = new ReadingQueue({ logError: ports.logError, changed });
    this.limits = new ShownLimits({ ...ports, changed });
    this.channel = new ViewChannel({
      travels: USAGE_STATE,
      open: this.#query,
      derive: (query, changed) => derived(SLICES, this.#now(query), changed),
    });
    this.#endOfChanges = ports.chats.onChange({
      changed: (chatId) => {
        if (chatId !== null) {
          this.#changed.add(chatId);
          this.#settling ??= setTimeout(() => void this.#readChanged(), SETTLE_MS);
        }
      },
    });
  }

  /**
   * Reads the usage of all chats. With `chatId`, shows the turns of this chat. Null or a chat without requests: all
   * chats, in the latest period with usage.
   */
  async show(chatId: string | null): Promise<void> {
    const { rows, others } = this.#ports;
    const extent = chatId === null ? this.#query.extent : 'workspace';
    this.#showQuery({ ...this.#query, extent, from: null, chatId, byTurn: chatId !== null, ...NO_FILTERS });
    await this.#reading.inTurn(async () => {
      await this.#readQuotas();
      await rows.readAll();
      if (extent === 'computer') {
        await others.readAll();
      }
    });
    const usage = this.#usage(this.#query);
    // The user can have selected other chats meanwhile.
    if (usage !== null && this.#query.chatId === chatId) {
      const isUsed = usage.chats.some((chat) => chat.chatId === chatId && chat.rows.length > 0);
      const query = { ...this.#query, chatId: isUsed ? chatId : null, byTurn: isUsed };
      this.#showQuery({ ...query, from: latestPeriod(query, usage) });
      await this.#readTurns();
    }
  }

  /** Shows the result of a query. If the query adds other workspaces, then reads their chats and shows them. */
  ask(query: UsageQuery): void {
    const isNew = query.extent === 'computer' && this.#query.extent !== 'computer';
    this.#showQuery(query);
    if (isNew) {
      void this.#reading.inTurn(() => this.#ports.others.readAll());
    }
    if (this.#turns?.chatId !== query.chatId) {
      void this.#readTurns();
    }
  }

  /** Reads the turns of the selected chat, if the view shows turns. */
  #readTurns(): Promise<void> {
    return this.#turnReading.inTurn(async () => {
      const { chatId, byTurn } = this.#query;
      if (byTurn && chatId !== null) {
        this.#turns = await this.#ports.turns.read(chatId);
      }
    });
  }

  async #readQuotas(): Promise<void> {
    const { quotas, models, labelOf } = this.#ports;
    const all = await quotas.now();
    this.#quotas = all.map((quota) => {
      const { provider } = quota.model;
      return { provider, providerLabel: models.providerLabel(provider), model: labelOf(quota.model), text: quotaInWords(quota) };
    });
  }

  #hasTurns(chatId: string | null): boolean {
    return this.#ports.chats.list().some(({ id }) => id === chatId);
  }

  #showQuery(query: UsageQuery): void {
    const { localTime, now } = this.#ports;
    const { from } = query;
    // Null means the current period, so that the view changes when a new period begins.
    const isCurrent = from !== null && isIn(from, periodAt(query.unit, localTime(now())));
    // A deleted chat and a chat of another workspace have only sums of usage.
    const byTurn = query.byTurn && this.#hasTurns(query.chatId);
    this.#query = { ...query, from: isCurrent ? null : from, byTurn };
    this.channel.showRows(this.#query);
  }

  /** Returns the attempts that the filters select. `all`, and for turns: of all periods. Rejects if usage is unread. */
  async exported(extent: 'period' | 'all'): Promise<ExportedUsage> {
    await this.#reading.done;
    const usage = this.#usage(this.#query);
    if (usage === null) {
      throw this.#reading.failed ?? failure('internal.defect', { text: 'Loupe tried to export the usage before the usage was loaded.' });
    }
    const period = extent === 'all' || this.#query.byTurn ? null : currentPeriod(this.#query, usage);
    const attempts = filteredAttempts(this.#query, usedAttempts(this.#query, period, usage), usage);
    const chatIds = new Set(attempts.map(({ chatId }) => chatId));
    const { rows, others } = this.#ports;
    return { attempts, titles: usage.titles, held: new Map([...(await others.held(chatIds)), ...(await rows.held(chatIds))]) };
  }

  dispose(): void {
    this.#endOfChanges();
    clearTimeout(this.#settling);
    this.channel.dispose();
  }

  async #readChanged(): Promise<void> {
    const { rows } = this.#ports;
    const chatIds = [...this.#changed];
    this.#changed.clear();
    // Reads nothing, because the first reading is still running and will include these changes.
    if (rows.chats === null) {
      this.#settling = undefined;
      return;
    }
    await this.#readQuotas();
    await this.#reading.now(() => rows.readAgain(chatIds));
    if (chatIds.includes(this.#query.chatId ?? '')) {
      await this.#readTurns();
    }
    this.#settling = this.#changed.size === 0 ? undefined : setTimeout(() => void this.#readChanged(), SETTLE_MS);
  }

  #usage({ extent }: UsageQuery): UsageSource | null {
    const { chats, rows, others, ...ports } = this.#ports;
    const here = new Map(chats.list().map(({ id, title }) => [id, title]));
    const isHere = (chatId: string): boolean => here.has(chatId) && chatId !== NO_CHAT;
    here.set(NO_CHAT, OUTSIDE);
    if (rows.chats === null || extent === 'workspace') {
      return rows.chats === null ? null : { ...ports, isHere, chats: rows.chats, titles: here };
    }
    return others.chats === null
      ? null
      : { ...ports, isHere, chats: [...rows.chats, ...others.chats], titles: new Map([...others.titles, ...here]) };
  }

  #now(query: UsageQuery): UsageNow {
    const usage = this.#usage(query);
    const shown = usage === null ? null : { usage, attempts: usedAttempts(query, currentPeriod(query, usage), usage) };
    const turns = query.byTurn && this.#turns?.chatId === query.chatId ? this.#turns : null;
    const { message: problem = null } = this.#reading.failed ?? this.#turnReading.failed ?? {};
    return { query, shown, turns, hasTurns: this.#hasTurns(query.chatId), limits: this.limits.view, quotas: this.#quotas, problem };
  }
}

const NO_FILTERS = { model: null, part: null, bar: null, turn: null, onlyLosses: false, text: '' } as const;

/** What the state is derived from. `shown` is null before the usage was read. */
interface UsageNow {
  readonly query: UsageQuery;
  readonly shown: { readonly usage: UsageSource; readonly attempts: readonly UsedAttempt[] } | null;
  readonly turns: ReadTurns | null;
  readonly hasTurns: boolean;
  readonly limits: UsageState['limits'];
  readonly quotas: UsageState['quotas'];
  readonly problem: string | null;
}

const SLICES: ViewSlices<UsageState, UsageNow, 'read'> = {
  query: { from: ['open'], derive: ({ query }) => query },
  figures: {
    from: ['read', 'open'],
    derive: ({ query, shown }) => (shown === null ? null : usageFigures(query, shown.attempts, shown.usage)),
  },
  requests: {
    from: ['read', 'open'],
    derive: ({ query, shown }) => (shown === null ? null : usageRequests(query, shown.attempts, shown.usage)),
  },
  turns: {
    from: ['read', 'open'],
    derive: ({ query, shown, turns }) => (shown === null || turns === null ? null : usageTurns(query, turns, shown.usage)),
  },
  hasTurns: { from: ['read', 'open'], derive: ({ hasTurns }) => hasTurns },
  quotas: { from: ['read'], derive: ({ quotas }) => quotas },
  limits: { from: ['read'], derive: ({ limits }) => limits },
  problem: { from: ['read'], derive: ({ problem }) => problem },
};
