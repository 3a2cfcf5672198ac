import { ledgerTotals } from '../../../engine/chat/ledger.js';
import type { ChatState } from '../../../engine/chat/state.js';
import type { ChatUsageView } from '../../../protocol/panel/view.js';

/**
 * Caches the total usage of a chat until something other than streamed text changes. A long chat has tens of thousands
 * of attempts, and the panel's state is derived many times a second during a reply.
 */
export class SpentInChat {
  #known: { readonly chatId: string; readonly spent: ChatUsageView | null } | null = null;

  derive(state: ChatState): ChatUsageView | null {
    if (this.#known?.chatId !== state.chatId) {
      this.#known = { chatId: state.chatId, spent: spentIn(state) };
    }
    return this.#known.spent;
  }

  /** Call this when more than the text of a reply has changed. */
  changed(): void {
    this.#known = null;
  }
}

function spentIn(state: ChatState): ChatUsageView | null {
  const totals = ledgerTotals(state);
  const { promptTokens, cacheReadInputTokens, cacheCreationInputTokens, completionTokens, cost, unknownAttempts } = totals;
  const inputTokens = promptTokens + cacheReadInputTokens + cacheCreationInputTokens;
  if (inputTokens + completionTokens === 0) {
    return null;
  }
  // The unloaded part of a long chat has only sums, without the information whether they are estimates.
  const usages = [...state.attempts.values()].flatMap(({ inheritedFrom, end }) => (inheritedFrom === null ? (end?.usage ?? []) : []));
  return {
    inputTokens,
    outputTokens: completionTokens,
    inputEstimated: usages.some(({ promptTokens }) => promptTokens?.source === 'estimated'),
    outputEstimated: usages.some((usage) => usage.completionTokens?.source === 'estimated'),
    cost,
    unknownRequests: unknownAttempts,
  };
}
