import { activeCompaction } from '../../../engine/chat/slices/compaction.js';
import type { ChatState } from '../../../engine/chat/state.js';
import { isMessageItem, type TimelineItem } from '../../../engine/chat/timeline.js';
import type { Chats } from '../../chat/chats.js';
import type { ChatSession } from '../../chat/chatSession.js';
import type { CompactionStatus, SummaryDraft } from '../../chat/summary/compactionStatus.js';
import { counted } from '../../../protocol/numbers.js';

export interface SummaryNoticesPorts {
  readonly chats: Pick<Chats, 'list' | 'sessions' | 'onChange'>;
  /** Whether the user can see a chat. A visible panel already shows how a summary ended. */
  readonly isVisible: (chatId: string) => boolean;
  /** Notifies the user, and shows the chat on click. */
  readonly notify: (text: string, chatId: string) => void;
}

type SummaryInProgress = Extract<CompactionStatus, { readonly kind: 'running' }>;

/**
 * Notifies the user how a summary ended while its chat was not visible. Reports summaries that the user requested, and
 * failures that only the user can fix. Other automatic summaries need no attention.
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
      if (ended !== null && !isVisible(session.id)) {
        const title = chats.list().find(({ id }) => id === session.id)?.title ?? '';
        notify(`The summary of "${title}" ${ended}`, session.id);
      }
    },
  });
}

/** Returns how a summary has ended since `before`, as the end of a sentence. Null without news for the user. */
function summaryNotice(before: CompactionStatus, { compactor: { status }, state }: ChatSession): string | null {
  if (status?.kind === 'drafted') {
    return before?.kind === 'drafted' ? null : writtenNotice(status.draft);
  }
  return before?.kind === 'running' ? endNotice(before, status, state) : null;
}

function endNotice(before: SummaryInProgress, status: CompactionStatus, state: ChatState): string | null {
  const isByHand = before.policy === 'manual';
  if (status?.kind === 'failed') {
    return isByHand || !status.error.retryable ? `failed. ${status.error.message} The conversation is unchanged.` : null;
  }
  return status === null && isByHand ? inUseNotice(before, state) : null;
}

/** Returns the notice that a summary waits for review. Null when the user only opened the current summary. */
function writtenNotice({ plan, tokens: after }: SummaryDraft): string | null {
  if (plan === null) {
    return null;
  }
  const { messages, tokens } = plan.outline;
  return `is written: ${inFigures(messages, tokens, after)} Use it, or change it first.`;
}

/** Returns the notice that requests now use a summary. Null during the user's review and after a cancel. */
function inUseNotice({ messages, runId }: SummaryInProgress, state: ChatState): string | null {
  const active = activeCompaction(state);
  const isOfRun = (item: TimelineItem): boolean => item.runId === runId && isMessageItem(item, active?.summaryId ?? '');
  return messages !== null && active !== null && state.timeline.some(isOfRun)
    ? `is in use: ${inFigures(messages, active.tokens.before, active.tokens.after)}`
    : null;
}

function inFigures(messages: number, before: number, after: number): string {
  return `${counted(messages, 'message')} with ${counted(before, 'token')} became ${counted(after, 'token')}.`;
}
