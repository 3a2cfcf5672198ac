import type { UsageTotals } from '../../engine/accounting/usage.js';
import type { AccountingMessage } from '../../engine/chat/message.js';
import type { AccountingEntry, SpentView } from '../../protocol/noteEntries.js';

export function accountingEntry(message: AccountingMessage): AccountingEntry {
  const { id, reason, discardedMessages, totals, discarded, isAfterError, rewindId } = message;
  const figures = { discarded: discarded === undefined ? null : spentView(discarded), soFar: spentView(totals) };
  return { kind: 'accounting', id, reason, isAfterError: isAfterError === true, discardedMessages, ...figures, rewindId };
}

function spentView(totals: UsageTotals): SpentView {
  return {
    requests: totals.attempts,
    freshTokens: totals.promptTokens,
    cachedTokens: totals.cacheReadInputTokens,
    writtenTokens: totals.cacheCreationInputTokens,
    outputTokens: totals.completionTokens,
    cost: totals.cost,
    unknownRequests: totals.unknownAttempts,
  };
}
