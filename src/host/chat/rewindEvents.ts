import { ledgerTotals } from '../../engine/accounting/ledger.js';
import { countMessagesAfter, countMessagesMissingFrom } from '../../engine/chat/branch.js';
import type { NewEvent } from '../../engine/chat/slices/table.js';
import type { ChatState } from '../../engine/chat/state.js';
import type { TimelineItem } from '../../engine/chat/timeline.js';
import type { AccountingMessage, RewindReason } from '../../engine/chat/message.js';

/*
 * The events that set a part of the conversation aside or bring it back, each with an `accounting` message for the
 * audit trail.
 */

type NewId = () => string;

/** Sets aside all after message `to`, or everything when `to` is null. */
export function rewindEvents(state: ChatState, reason: RewindReason, to: string | null, newId: NewId): NewEvent[] {
  const rewindId = newId();
  const note = accounting(state, { reason, rewindId, discardedMessages: countMessagesAfter(state, to) }, newId);
  return [{ type: 'rewound', rewindId, to, reason }, note];
}

/** Returns to `branch`, which `rewindId` left. */
export function restoreEvents(state: ChatState, rewindId: string, branch: readonly TimelineItem[], newId: NewId): NewEvent[] {
  const undoId = newId();
  const discardedMessages = countMessagesMissingFrom(state, branch);
  const note = accounting(state, { reason: 'broughtBack', rewindId: undoId, discardedMessages }, newId);
  return [{ type: 'restored', rewindId, undoId }, note];
}

type Rewind = Pick<AccountingMessage, 'reason' | 'rewindId' | 'discardedMessages'>;

function accounting(state: ChatState, rewind: Rewind, newId: NewId): NewEvent {
  const message = { role: 'accounting', id: newId(), totals: ledgerTotals(state), ...rewind } as const;
  return { type: 'message', runId: null, message };
}
