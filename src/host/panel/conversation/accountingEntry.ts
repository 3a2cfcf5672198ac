import type { UsageTotals } from '../../../engine/model/usage.js';
import type { AccountingMessage } from '../../../engine/chat/message/message.js';
import type { Timeline, TimelineItem } from '../../../engine/chat/timeline.js';
import type { AccountingEntry, UsageSumView } from '../../../protocol/panel/noteEntries.js';

export function accountingEntry(message: AccountingMessage): AccountingEntry {
  const { id, reason, discardedMessages, totals, discarded, isAfterError, rewindId } = message;
  const figures = { discarded: discarded === undefined ? null : spentView(discarded), soFar: spentView(totals) };
  return { kind: 'accounting', id, reason, isAfterError: isAfterError === true, discardedMessages, ...figures, rewindId };
}

/** Keeps only the last of several version switches in a row, because the user can undo only the last one. */
export function withLastReturns(timeline: Timeline): Timeline {
  return timeline.filter((item, at) => !isReturn(item) || !isReturn(timeline[at + 1]));
}

function isReturn(item: TimelineItem | undefined): boolean {
  return item?.kind === 'message' && item.message.role === 'accounting' && item.message.reason === 'broughtBack';
}

function spentView(totals: UsageTotals): UsageSumView {
  return {
    requests: totals.attempts,
    uncachedTokens: totals.promptTokens,
    cachedTokens: totals.cacheReadInputTokens,
    writtenTokens: totals.cacheCreationInputTokens,
    outputTokens: totals.completionTokens,
    cost: totals.cost,
    unknownRequests: totals.unknownAttempts,
  };
}
