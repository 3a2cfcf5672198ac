import type { ViewBadge } from 'vscode';
import { countedAs } from '../../../protocol/numbers.js';
import type { ChatListItem } from '../../../protocol/panel/view.js';
import type { Chats } from '../../chat/chats.js';

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
