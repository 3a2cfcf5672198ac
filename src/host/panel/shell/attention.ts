import type { ViewBadge } from 'vscode';
import { countedAs, counted } from '../../../protocol/numbers.js';
import type { ChatListItem } from '../../../protocol/panel/view.js';
import type { Chats } from '../../chat/chats.js';
import { correctedTokens } from '../../../engine/accounting/contextWindow.js';
import { activeCompaction } from '../../../engine/chat/slices/compaction.js';
import type { ChatState } from '../../../engine/chat/state.js';
import { isMessageItem, type TimelineItem } from '../../../engine/chat/timeline.js';
import type { ChatSession } from '../../chat/chatSession.js';
import type { CompactionStatus, SummaryDraft } from '../../chat/summary/compactionStatus.js';

export interface AttentionPorts {
  readonly chats: Pick<Chats, 'list' | 'isListed' | 'onChange'>;
  /** Whether the user can see a chat. */
  readonly isVisible: (chatId: string) => boolean;
  readonly isFocused: () => boolean;
  /** Notifies the user that a reply has ended or a request needs approval, and shows the chat on click. */
  readonly notify: (chat: ChatListItem, what: 'ended' | 'waits') => void;
  readonly progress: (ended: Promise<void>) => void;
}

/**
 * Shows events outside the panel:
 * - A progress bar on the view during replies.
 * - A badge with the number of unseen chats that have an ended reply or a question.
 * - A notification, because a closed side bar shows no badge. Also for visible chats while VS Code has no focus.
 */
export class Attention {
  readonly #ports: AttentionPorts;
  readonly #unseen = new Set<string>();
  #running: ReadonlySet<string> = new Set();
  #waiting: ReadonlySet<string> = new Set();
  #setBadge: (badge: ViewBadge | undefined) => void = () => undefined;
  /** Ends the progress on the view; null while nothing runs. */
  #endProgress: (() => void) | null = null;

  constructor(ports: AttentionPorts) {
    this.#ports = ports;
    ports.chats.onChange({ changed: this.#update.bind(this) });
  }

  onBadge(setBadge: (badge: ViewBadge | undefined) => void): void {
    this.#setBadge = setBadge;
    this.#showBadge();
  }

  /** Call this when the user may see another chat than before. */
  seen(): void {
    const seen = [...this.#unseen].filter(this.#ports.isVisible);
    for (const chatId of seen) {
      this.#unseen.delete(chatId);
    }
    if (seen.length > 0) {
      this.#showBadge();
    }
  }

  #update(): void {
    const { chats } = this.#ports;
    if (!chats.isListed) {
      return;
    }
    const all = chats.list();
    const running = new Set(all.filter((chat) => chat.running).map(({ id }) => id));
    const ended = all.filter(({ id }) => this.#running.has(id) && !running.has(id));
    const asking = all.filter((chat) => chat.waiting && !this.#waiting.has(chat.id));
    this.#running = running;
    this.#waiting = new Set(all.filter((chat) => chat.waiting).map(({ id }) => id));
    this.#showProgress();
    for (const chat of ended) {
      this.#tell(chat, 'ended');
    }
    for (const chat of asking) {
      this.#tell(chat, 'waits');
    }
    this.#showBadge();
  }

  #tell(chat: ChatListItem, what: 'ended' | 'waits'): void {
    const { isVisible, isFocused, notify } = this.#ports;
    const isSeen = isVisible(chat.id);
    if (!isSeen) {
      this.#unseen.add(chat.id);
    }
    if (!isSeen || !isFocused()) {
      notify(chat, what);
    }
  }

  #showBadge(): void {
    const value = this.#unseen.size;
    const waiting = [...this.#unseen].filter((chatId) => this.#waiting.has(chatId)).length;
    const replies = value - waiting;
    const tooltip = [
      ...(waiting === 0 ? [] : [countedAs(waiting, 'chat needs approval', 'chats need approval')]),
      ...(replies === 0 ? [] : [countedAs(replies, 'chat has a new reply', 'chats have new replies')]),
    ].join(', ');
    this.#setBadge(value === 0 ? undefined : { value, tooltip });
  }

  #showProgress(): void {
    if (this.#running.size === 0) {
      this.#endProgress?.();
      this.#endProgress = null;
    } else if (this.#endProgress === null) {
      const ended = new Promise<void>((resolve) => {
        this.#endProgress = resolve;
      });
      this.#ports.progress(ended);
    }
  }
}

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
  if (messages === null || active === null || !state.timeline.some(isOfRun)) {
    return null;
  }
  const { before, after } = correctedTokens(active.tokens, runId, state);
  return `is in use: ${inFigures(messages, before, after)}`;
}

function inFigures(messages: number, before: number, after: number): string {
  return `${counted(messages, 'message')} with ${counted(before, 'token')} became ${counted(after, 'token')}.`;
}
