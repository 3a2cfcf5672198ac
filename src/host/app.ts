import { findUserMessage } from '../engine/chat/branch.js';
import { messageText } from '../engine/chat/message.js';
import { LoupeError } from '../engine/errors.js';
import type { ChatListItem } from '../protocol/view.js';
import type { ChatSession } from './chat/chatSession.js';
import type { Chats } from './chat/chats.js';
import type { Drafts } from './view/drafts.js';
import type { Panel } from './view/panel.js';

/** Remembers over restarts which chat was on show. */
export interface CurrentChatStorage {
  /** Null when none was shown yet. */
  read(): Promise<string | null>;
}

/** What the panel, the commands and the API all do: operations on chats, seen from the window. */
export class App {
  readonly chats: Chats;
  readonly drafts: Drafts;
  readonly panel: Panel;
  readonly #storage: CurrentChatStorage;
  #starting: Promise<ChatSession> | null = null;

  constructor(parts: { chats: Chats; drafts: Drafts; panel: Panel; storage: CurrentChatStorage }) {
    this.chats = parts.chats;
    this.drafts = parts.drafts;
    this.panel = parts.panel;
    this.#storage = parts.storage;
  }

  /** The chat on show; the first call opens the one of the last time, the latest, or a new one. */
  async current(): Promise<ChatSession> {
    if (this.panel.session !== null) {
      return this.panel.session;
    }
    this.#starting ??= this.#start();
    try {
      return await this.#starting;
    } finally {
      this.#starting = null;
    }
  }

  /** Creates a chat and shows it. An empty chat on show already is as good as a new one, and is kept. */
  async newChat(): Promise<ChatSession> {
    const shown = this.panel.session;
    const isFresh = shown !== null && shown.readOnly === null && shown.state.timeline.length === 0 && shown.state.context.size === 0;
    const session = isFresh ? shown : await this.chats.create();
    await this.#present(session);
    this.panel.focusComposer();
    return session;
  }

  async show(chatId: string): Promise<ChatSession> {
    return this.#present(await this.chats.open(chatId));
  }

  /** Deletes a chat and offers to take that back; the one on show gives way to the latest. */
  async deleteChat(chatId: string): Promise<void> {
    const title = this.chats.list().find((item) => item.id === chatId)?.title ?? 'The chat';
    const wasShown = this.panel.session?.id === chatId;
    await this.chats.delete(chatId);
    if (wasShown) {
      await this.#showLatest();
    }
    this.panel.banners.show({
      id: `deleted-${chatId}`,
      severity: 'info',
      text: `"${title}" was deleted.`,
      actions: [
        { label: 'Undo', action: 'undoDelete', argument: chatId },
        { label: 'Dismiss', action: 'dismiss', argument: '' },
      ],
    });
    this.panel.changed();
  }

  async undoDelete(chatId: string): Promise<void> {
    await this.chats.undelete(chatId);
    this.panel.banners.hide(`deleted-${chatId}`);
    await this.show(chatId);
  }

  /** Sends the composer's text, or puts it in place of the message being edited. Resolves when the run has ended. */
  async sendDraft(session: ChatSession, text: string): Promise<void> {
    const { editing } = this.drafts.get(session.id);
    session.checkIdle();
    if (text.trim() === '') {
      throw new LoupeError('invalidInput', 'The message is empty.');
    }
    if (editing !== null) {
      // Fails here, while the draft still stands: a retry may have set the message aside meanwhile.
      findUserMessage(session.state, editing);
    }
    const run = editing === null ? session.send(text) : session.edit(editing, text);
    this.drafts.finish(session.id);
    this.panel.draftChanged();
    await run;
  }

  /** Puts a sent message into the composer; sending then replaces it and what follows. */
  beginEdit(session: ChatSession, messageId: string): void {
    session.checkIdle();
    this.drafts.beginEdit(session.id, messageId, messageText(findUserMessage(session.state, messageId)));
    this.panel.draftChanged();
    this.panel.focusComposer();
  }

  cancelEdit(session: ChatSession): void {
    if (this.drafts.get(session.id).editing !== null) {
      this.drafts.finish(session.id);
      this.panel.draftChanged();
    }
  }

  async fork(session: ChatSession, messageId: string): Promise<ChatSession> {
    return this.#present(await this.chats.fork(session, messageId));
  }

  async #start(): Promise<ChatSession> {
    await this.chats.refresh();
    this.panel.listed();
    const last = await this.#storage.read();
    if (last !== null && this.chats.list().some((item) => item.id === last && isReadable(item))) {
      return this.show(last);
    }
    return this.#showLatest();
  }

  async #showLatest(): Promise<ChatSession> {
    const latest = this.chats.list().find(isReadable);
    const session = latest === undefined ? await this.chats.create() : await this.chats.open(latest.id);
    return this.#present(session);
  }

  async #present(session: ChatSession): Promise<ChatSession> {
    await this.drafts.load(session.id);
    this.panel.show(session);
    return session;
  }
}

/** A chat that cannot be read is listed without a time. */
function isReadable({ updatedAt }: ChatListItem): boolean {
  return updatedAt > 0;
}
