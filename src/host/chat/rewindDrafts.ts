import { ledgerTotals } from '../../engine/accounting/ledger.js';
import { countMessagesAfter, countMessagesMissingFrom } from '../../engine/chat/branch.js';
import type { EventDraft } from '../../engine/chat/slices/table.js';
import type { ChatState } from '../../engine/chat/state.js';
import type { TimelineItem } from '../../engine/chat/timeline.js';
import type { AccountingMessage, RewindReason } from '../../engine/chat/message.js';

/*
 * What is logged when a part of the conversation is set aside or comes back, with the note about it for the audit
 * trail.
 */

type NewId = () => string;

/** Sets aside what stands after message `to`; everything for null. */
export function rewindDrafts(state: ChatState, reason: RewindReason, to: string | null, newId: NewId): EventDraft[] {
  const rewindId = newId();
  const note = accounting(state, { reason, rewindId, discardedMessages: countMessagesAfter(state, to) }, newId);
  return [{ type: 'rewound', rewindId, to, reason }, note];
}

/** Returns to `branch`, which `rewindId` left. */
export function restoreDrafts(state: ChatState, rewindId: string, branch: readonly TimelineItem[], newId: NewId): EventDraft[] {
  const undoId = newId();
  const discardedMessages = countMessagesMissingFrom(state, branch);
  const note = accounting(state, { reason: 'broughtBack', rewindId: undoId, discardedMessages }, newId);
  return [{ type: 'restored', rewindId, undoId }, note];
}

type Rewind = Pick<AccountingMessage, 'reason' | 'rewindId' | 'discardedMessages'>;

function accounting(state: ChatState, rewind: Rewind, newId: NewId): EventDraft {
  const message = { role: 'accounting', id: newId(), totals: ledgerTotals(state), ...rewind } as const;
  return { type: 'message', runId: null, message };
}
