import { activeCompaction } from '../../engine/chat/slices/compaction.js';
import { isMessageItem } from '../../engine/chat/timeline.js';
import type { Chats } from '../chat/chats.js';
import type { ChatSession } from '../chat/chatSession.js';
import type { CompactionStatus } from '../chat/compactionStatus.js';
import { counted } from '../../protocol/numbers.js';

export interface SummaryNoticesPorts {
  readonly chats: Pick<Chats, 'list' | 'sessions' | 'onChange'>;
  /** Whether the user sees the panel, which shows how a summary ended by itself. */
  readonly isVisible: () => boolean;
  /** Tells the user, and shows the chat when they want that. */
  readonly notify: (text: string, chatId: string) => void;
}

/**
 * Tells the user outside the panel how a summary ended while the panel was hidden: one that they asked for, or one that fails
 * again until they do something. What Loupe summarizes by itself needs nothing of them.
 */
export function noticeSummaries({ chats, isVisible, notify }: SummaryNoticesPorts): void {
  const before = new Map<string, CompactionStatus>();
  chats.onChange({
    changed(chatId) {
      const session = chatId === null ? undefined : chats.sessions().find(({ id }) => id === chatId);
      if (session === undefined) {
        return;
      }
      const ended = summaryNotice(before.get(session.id) ?? null, session);
      before.set(session.id, session.compactor.status);
      if (ended !== null && !isVisible()) {
        const title = chats.list().find(({ id }) => id === session.id)?.title ?? '';
        notify(`The summary of "${title}" ${ended}`, session.id);
      }
    },
  });
}

/** How a summary has ended since it was `before`, as the end of a sentence; null unless the user wants to know. */
function summaryNotice(before: CompactionStatus, { compactor: { status }, state }: ChatSession): string | null {
  if (status?.kind === 'drafted' && status.draft.plan !== null && before?.kind !== 'drafted') {
    const { messages, tokens } = status.draft.plan.outline;
    return `is written: ${inFigures(messages, tokens, status.draft.tokens)} Use it, or change it first.`;
  }
  if (before?.kind !== 'running') {
    return null;
  }
  const isByHand = before.policy === 'manual';
  if (status?.kind === 'failed' && (isByHand || !status.error.retryable)) {
    return `failed. ${status.error.message} Your history is as it was.`;
  }
  const active = activeCompaction(state);
  const isInUse = state.timeline.some((item) => isMessageItem(item, active?.summaryId ?? '') && item.runId === before.runId);
  return status === null && isByHand && isInUse && active !== null
    ? `is in use: ${inFigures(before.messages, active.tokens.before, active.tokens.after)}`
    : null;
}

function inFigures(messages: number, before: number, after: number): string {
  return `${counted(messages, 'message')}, ${counted(before, 'token')}, became ${counted(after, 'token')}.`;
}
