import type { ViewBadge } from 'vscode';
import { countedAs } from '../../../protocol/numbers.js';
import type { ChatListItem } from '../../../protocol/panel/view.js';
import type { Chats } from '../../chat/chats.js';

export interface AttentionPorts {
  readonly chats: Pick<Chats, 'list' | 'isListed' | 'onChange'>;
  /** Whether the user sees what happens in a chat. */
  readonly isVisible: (chatId: string) => boolean;
  /** Whether VS Code has the focus. */
  readonly isFocused: () => boolean;
  /** Tells the user that the reply of a chat has ended, or that a request of it waits for them, and shows the chat when they want that. */
  readonly notify: (chat: ChatListItem, what: 'ended' | 'waits') => void;
  /** Shows progress on the view until the promise resolves. */
  readonly progress: (ended: Promise<void>) => void;
}

/**
 * What the user is told outside the panel: a progress bar on the view while replies are written, a badge with the number
 * of chats whose reply ended, or that wait for the user, while no panel showed them, and a notification then, and when VS Code
 * did not have the focus: the badge of a closed side bar is out of sight.
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

  /** Sets where the badge is shown. */
  onBadge(setBadge: (badge: ViewBadge | undefined) => void): void {
    this.#setBadge = setBadge;
    this.#showBadge();
  }

  /** To be called when the user may see a chat that they did not see before. */
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
      ...(waiting === 0 ? [] : [countedAs(waiting, 'chat waits for you', 'chats wait for you')]),
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
