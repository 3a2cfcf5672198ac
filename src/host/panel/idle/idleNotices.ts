import { type IdleAction, offeredActions, offerText } from '../../../protocol/panel/idle.js';
import type { Chats } from '../../chat/chats.js';
import { idleView } from './slices.js';

export interface IdleNotice {
  readonly chatId: string;
  readonly text: string;
  readonly actions: readonly IdleAction[];
}

export interface IdleNoticesPorts {
  readonly chats: Pick<Chats, 'list' | 'sessions' | 'onChange'>;
  /** Whether the user can see a chat, and so the offer in its panel. */
  readonly isVisible: (chatId: string) => boolean;
  readonly now: () => number;
  /** Shows a notification until `ended` resolves. */
  readonly show: (notice: IdleNotice, ended: Promise<void>) => void;
}

/** Notifies the user of an offer in a chat that no panel shows, once in each pause. Ends with the offer. */
export class IdleNotices {
  readonly #ports: IdleNoticesPorts;
  /** Closes the notification of a chat, by the id of the chat. */
  readonly #open = new Map<string, () => void>();
  /** The pauses with a notification. */
  readonly #noticed = new Set<string>();

  constructor(ports: IdleNoticesPorts) {
    this.#ports = ports;
    ports.chats.onChange({ changed: this.update.bind(this) });
  }

  /** Call this when the user may see another chat than before. */
  update(): void {
    const { chats, isVisible } = this.#ports;
    const hidden = chats.sessions().filter(({ id, idle }) => idle.status?.kind === 'offered' && !isVisible(id));
    for (const [id, close] of this.#open) {
      if (!hidden.some((session) => session.id === id)) {
        this.#open.delete(id);
        close();
      }
    }
    for (const { id, idle } of hidden) {
      const view = idleView(idle.status);
      if (view?.kind === 'offered' && idle.pause !== null && !this.#noticed.has(idle.pause)) {
        this.#noticed.add(idle.pause);
        const title = chats.list().find((chat) => chat.id === id)?.title ?? '';
        this.#show({ chatId: id, text: offerText(view, `"${title}"`, this.#ports.now()), actions: offeredActions(view) });
      }
    }
  }

  #show(notice: IdleNotice): void {
    const ended = new Promise<void>((resolve) => {
      this.#open.set(notice.chatId, resolve);
    });
    this.#ports.show(notice, ended);
  }
}
