import { ledgerTotals } from '../../../engine/chat/ledger.js';
import { failure, type LoupeError, toLoupeError } from '../../../engine/errors.js';
import type { SpendLimits, SpentSum } from '../../../engine/spend/limits.js';
import type { LimitName, LimitsView } from '../../../protocol/limits.js';
import type { ChatSession } from '../chatSession.js';

export interface ShownLimitsPorts {
  readonly chats: {
    open(chatId: string): Promise<ChatSession>;
    list(): readonly { readonly id: string }[];
    spentToday(): Promise<SpentSum>;
  };
  readonly settings: {
    spendLimits(): SpendLimits;
    /** Writes a limit to the user settings. Rejects when that fails. */
    writeSpendLimit(name: 'askAbove' | 'capPerDay', usd: number | null): Promise<void>;
  };
  /** Called when `view` has changed. */
  readonly changed: () => void;
  readonly logError: (error: LoupeError) => void;
}

/** The spend limits in a view. Read when the user opens them, and again after each change. */
export class ShownLimits {
  readonly #ports: ShownLimitsPorts;
  /** Null until the user opens the limits. */
  view: LimitsView | null = null;

  constructor(ports: ShownLimitsPorts) {
    this.#ports = ports;
  }

  /** Reads the limits. A chat of another workspace, or a deleted one, counts as no chat. */
  async show(chatId: string | null): Promise<void> {
    const { chats, settings } = this.#ports;
    const spentToday = await this.#spentToday();
    const session = chatId === null || chats.list().every(({ id }) => id !== chatId) ? null : await chats.open(chatId);
    const { askAbove, capPerChat, capPerDay } = settings.spendLimits();
    this.view = {
      request: askAbove,
      chat: session === null ? null : { limit: session.state.spendCap, each: capPerChat, spent: spentIn(session) },
      day: { limit: capPerDay, spent: spentToday },
    };
    this.#ports.changed();
  }

  /** Saves a limit, and shows all limits as they are now. Rejects when it cannot be saved. */
  async set(chatId: string | null, name: LimitName, usd: number | null): Promise<void> {
    try {
      await this.#write(chatId, name, usd);
    } finally {
      await this.show(chatId);
    }
  }

  async #write(chatId: string | null, name: LimitName, usd: number | null): Promise<void> {
    const { chats, settings } = this.#ports;
    if (name !== 'chat') {
      await settings.writeSpendLimit(name === 'request' ? 'askAbove' : 'capPerDay', usd);
      return;
    }
    if (chatId === null) {
      throw failure('internal.defect', { text: 'Loupe tried to set the limit of a chat without a chat.' });
    }
    await (await chats.open(chatId)).setSpendCap(usd);
  }

  /** Null when the chats cannot be listed. The limits can be changed all the same. */
  async #spentToday(): Promise<SpentSum | null> {
    try {
      return await this.#ports.chats.spentToday();
    } catch (thrown) {
      this.#ports.logError(toLoupeError(thrown));
      return null;
    }
  }
}

function spentIn({ state }: Pick<ChatSession, 'state'>): SpentSum {
  const { cost, unknownAttempts } = ledgerTotals(state);
  return { usd: cost ?? 0, isAtLeast: unknownAttempts > 0 };
}
