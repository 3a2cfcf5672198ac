import { addTotals, attemptTotals, totalsByModel } from '../../engine/accounting/ledger.js';
import type { UsageTotals } from '../../engine/accounting/usage.js';
import { modelKey } from '../../engine/chat/config.js';
import { LoupeError, toLoupeError } from '../../engine/errors.js';
import {
  type ModelRows,
  USAGE_STATE,
  type UsageDelta,
  type UsageTableRow,
  type UsageState,
  type UsageToHost,
} from '../../protocol/usage.js';
import type { ChatSession } from '../chat/chatSession.js';
import type { Chats } from '../chat/chats.js';
import { ViewChannel } from '../window/viewChannel.js';

/** The chats whose rows by model are open. */
type ExpandedChats = Extract<UsageToHost, { readonly type: 'showRows' }>['chats'];

const NONE: ExpandedChats = [];

export interface UsagePorts {
  readonly chats: Pick<Chats, 'list' | 'refresh' | 'open' | 'usage' | 'onChange'>;
  readonly logError: (error: LoupeError) => void;
}

/** The usage of all chats of the workspace, for the usage view: a row for each chat, and one for each model of an open chat. */
export class UsageTable {
  readonly channel: ViewChannel<UsageState, UsageDelta, ExpandedChats, never>;
  readonly #ports: UsagePorts;
  readonly #endOfChanges: () => void;
  /** By chat; null until all have been read. */
  #totals: Map<string, UsageTotals> | null = null;
  #deleted: UsageTotals = attemptTotals([]);
  /** The chats with open rows: loaded whole, or why not; null while one is being read. */
  readonly #sessions = new Map<string, ChatSession | LoupeError | null>();
  #problem: string | null = null;
  #marked: string | null = null;

  constructor(ports: UsagePorts) {
    this.#ports = ports;
    this.channel = new ViewChannel({ travels: USAGE_STATE, open: NONE, state: this.#state.bind(this) });
    this.#endOfChanges = ports.chats.onChange({
      changed: (chatId) => {
        // Without totals there is nothing to update. While they are read, the read itself reports each chat it finds.
        if (chatId !== null && this.#totals !== null) {
          void this.#update(() => this.#readAgain(chatId));
        }
      },
    });
  }

  /** Reads the usage of all chats. `marked` is the chat to mark; null for none. */
  async read(marked: string | null): Promise<void> {
    this.#marked = marked;
    await this.#update(async () => {
      const { chats } = this.#ports;
      await chats.refresh();
      const totals = new Map<string, UsageTotals>();
      for (const { id } of chats.list()) {
        totals.set(id, await chats.usage.of(id));
      }
      this.#deleted = await this.#deletedTotals();
      this.#totals = totals;
    });
  }

  /** Shows the rows by model of these chats only. A chat that could not be read is tried again once it is opened anew. */
  showRows(chatIds: ExpandedChats): void {
    for (const [chatId, session] of this.#sessions) {
      if (session instanceof LoupeError && !chatIds.includes(chatId)) {
        this.#sessions.delete(chatId);
      }
    }
    this.channel.showRows(chatIds);
    for (const chatId of chatIds.filter((id) => !this.#sessions.has(id))) {
      this.#sessions.set(chatId, null);
      void this.#openWhole(chatId);
    }
  }

  dispose(): void {
    this.#endOfChanges();
    this.channel.dispose();
  }

  async #openWhole(chatId: string): Promise<void> {
    try {
      const session = await this.#ports.chats.open(chatId);
      await session.whole();
      this.#sessions.set(chatId, session);
    } catch (thrown) {
      const error = toLoupeError(thrown);
      this.#ports.logError(error);
      this.#sessions.set(chatId, error);
    }
    this.channel.changed();
  }

  async #readAgain(chatId: string): Promise<void> {
    const { chats } = this.#ports;
    if (chats.list().some(({ id }) => id === chatId)) {
      const totals = await chats.usage.of(chatId);
      this.#totals?.set(chatId, totals);
    } else {
      this.#deleted = await this.#deletedTotals();
      this.#totals?.delete(chatId);
    }
  }

  /** A chat that is being deleted may still be listed: it counts once. */
  async #deletedTotals(): Promise<UsageTotals> {
    const { chats } = this.#ports;
    const listed = new Set(chats.list().map(({ id }) => id));
    let deleted = attemptTotals([]);
    for (const id of await chats.usage.deletedIds()) {
      deleted = listed.has(id) ? deleted : addTotals(deleted, await chats.usage.of(id));
    }
    return deleted;
  }

  /** Reads something; a failure is logged and shown in the view. */
  async #update(read: () => Promise<void>): Promise<void> {
    try {
      await read();
      this.#problem = null;
    } catch (thrown) {
      const error = toLoupeError(thrown);
      this.#ports.logError(error);
      this.#problem = error.message;
    }
    this.channel.changed();
  }

  #state(open: ExpandedChats): UsageState {
    const totals = this.#totals;
    const common = { problem: this.#problem, marked: this.#marked };
    if (totals === null) {
      return { ...common, chats: null, total: null, models: {} };
    }
    const listed = this.#ports.chats.list().flatMap(({ id, title }) => {
      const own = totals.get(id);
      return own === undefined || own.attempts === 0 ? [] : [row(id, title, own)];
    });
    const deleted = this.#deleted.attempts === 0 ? [] : [row('', 'Deleted chats', this.#deleted)];
    const sum = [...totals.values()].reduce(addTotals, this.#deleted);
    return {
      ...common,
      chats: [...listed, ...deleted],
      total: row('', 'All chats', sum),
      models: Object.fromEntries(open.filter((id) => totals.has(id)).map((id) => [id, this.#modelRows(id)])),
    };
  }

  #modelRows(chatId: string): ModelRows {
    const session = this.#sessions.get(chatId) ?? null;
    if (session === null) {
      return { kind: 'reading' };
    }
    if (session instanceof LoupeError) {
      return { kind: 'failed', text: session.message };
    }
    const models = totalsByModel(session.state.attempts.values());
    return { kind: 'rows', rows: models.map(({ model, totals }) => row(modelKey(model), modelKey(model), totals)) };
  }
}

function row(key: string, label: string, totals: UsageTotals): UsageTableRow {
  return {
    key,
    label,
    requests: totals.attempts,
    freshTokens: totals.promptTokens,
    readTokens: totals.cacheReadInputTokens,
    writtenTokens: totals.cacheCreationInputTokens,
    outputTokens: totals.completionTokens,
    cost: totals.cost,
    unknownRequests: totals.unknownAttempts,
  };
}
