import { attemptTotals, ledgerTotals } from '../../../engine/chat/ledger.js';
import { countMessagesAfter, countMessagesMissingFrom } from '../../../engine/chat/branch.js';
import { branchEnd } from '../../../engine/chat/slices/branch.js';
import { isOfHousekeeping } from '../../../engine/chat/slices/runs.js';
import type { NewEvent } from '../../../engine/chat/slices/table.js';
import type { ChatState } from '../../../engine/chat/state.js';
import { isMessageItem, type Timeline, type TimelineItem } from '../../../engine/chat/timeline.js';
import type { AccountingMessage, RewindReason } from '../../../engine/chat/message/message.js';

/* Events that replace or restore a part of a conversation, with an `accounting` message about the removed usage. */

type NewId = () => string;

/** Returns events that remove everything after message `to`, or the whole conversation when `to` is null. */
export function rewindEvents(state: ChatState, reason: RewindReason, to: string | null, newId: NewId): NewEvent[] {
  const { timeline } = state;
  const rewindId = newId();
  const at = to === null ? -1 : timeline.findLastIndex((item) => isMessageItem(item, to));
  const left = timeline.slice(branchEnd(state, at, reason));
  const note = accounting(state, { reason, rewindId, discardedMessages: countMessagesAfter(state, to), ...costOf(state, left) }, newId);
  return [{ type: 'rewound', rewindId, to, reason }, note];
}

/** Returns events that remove the reply to a message. They include an excluded turn again for the new reply. */
export function retryEvents(state: ChatState, messageId: string, newId: NewId): NewEvent[] {
  const back = state.excluded.has(messageId) ? [{ type: 'included', messageId } as const] : [];
  return [...back, ...rewindEvents(state, 'retried', messageId, newId)];
}

/** Returns events that restore `branch`, which the event `rewound` with `rewindId` removed. */
export function restoreEvents(state: ChatState, rewindId: string, branch: readonly TimelineItem[], newId: NewId): NewEvent[] {
  const undoId = newId();
  const kept = new Set(branch.flatMap(beganRun));
  const left = state.timeline.filter((item) => !beganRun(item).some((runId) => kept.has(runId)));
  const discardedMessages = countMessagesMissingFrom(state, branch);
  const note = accounting(state, { reason: 'broughtBack', rewindId: undoId, discardedMessages, ...costOf(state, left) }, newId);
  return [{ type: 'restored', rewindId, undoId }, note];
}

/** Returns events that undo `before`, an edit or a retry: without an `accounting` message, as no request was sent. */
export function returnEvents(before: readonly NewEvent[], newId: NewId): NewEvent[] {
  return before.flatMap((event): NewEvent[] => {
    switch (event.type) {
      case 'rewound':
        return [{ type: 'restored', rewindId: event.rewindId, undoId: newId() }];
      case 'included':
        // Excludes the turn again, because the retry has included it.
        return [{ type: 'excluded', messageId: event.messageId, leaves: 'now' }];
      default:
        return [];
    }
  });
}

/** Returns the usage of the replies in a part of the conversation, and whether the first reply failed or broke off. */
function costOf({ runs, attempts }: ChatState, left: Timeline): Pick<AccountingMessage, 'discarded' | 'isAfterError'> {
  const own = left.filter((item) => !isOfHousekeeping(item, runs)).flatMap((item) => beganRun(item).flatMap((id) => runs.get(id) ?? []));
  const discarded = attemptTotals(own.flatMap(({ attemptIds }) => attemptIds.flatMap((id) => attempts.get(id) ?? [])));
  const [first] = own;
  const status = own.findLast(({ userMessageId }) => userMessageId === first?.userMessageId)?.status;
  const hasFailed = status === 'failed' || status === 'rolledBack' || status === 'interrupted';
  return hasFailed ? { discarded, isAfterError: true } : { discarded };
}

/** Returns the run id of an item of the kind `run`. Empty for messages. */
function beganRun(item: TimelineItem): readonly string[] {
  return item.kind === 'run' ? [item.runId] : [];
}

function accounting(state: ChatState, rewind: Omit<AccountingMessage, 'role' | 'id' | 'totals'>, newId: NewId): NewEvent {
  const message = { role: 'accounting', id: newId(), totals: ledgerTotals(state), ...rewind } as const;
  return { type: 'message', runId: null, message };
}
