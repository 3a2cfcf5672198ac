import { findUserMessage } from '../engine/chat/branch.js';
import { DISMISS } from './view/banners.js';
import { messageText } from '../engine/chat/message.js';
import { failure, toLoupeError } from '../engine/errors.js';
import type { ChatListItem } from '../protocol/view.js';
import type { CopyWatch } from '../storage/copyChat.js';
import type { CurrentChatFile } from '../storage/currentChat.js';
import type { ChatSession } from './chat/chatSession.js';
import type { Chats } from './chat/chats.js';
import type { Drafts } from './view/drafts.js';
import type { Panel } from './view/panel.js';

/** What the panel, the commands and the API all do: operations on chats, seen from the window. */
export class App {
  readonly chats: Chats;
  readonly drafts: Drafts;
  readonly panel: Panel;
  /** Remembers over restarts which chat was on show. */
  readonly #storage: Pick<CurrentChatFile, 'read'>;
  #lookElsewhere: () => Promise<void> = () => Promise.resolve();
  #starting: Promise<ChatSession> | null = null;
  /** How often a chat was asked for to be shown. */
  #asked = 0;

  constructor(parts: { chats: Chats; drafts: Drafts; panel: Panel; storage: Pick<CurrentChatFile, 'read'> }) {
    this.chats = parts.chats;
    this.drafts = parts.drafts;
    this.panel = parts.panel;
    this.#storage = parts.storage;
    this.chats.otherWindows.onChange({
      deleted: (chat) => {
        void this.#deletedElsewhere(chat);
      },
      broughtBack: (chatId) => {
        this.panel.banners.hide(`deleted-${chatId}`);
      },
    });
  }

  /** Has `listener` called when the chats have been read for the first time, and when the folders of the workspace have changed. */
  onFolders(listener: () => Promise<void>): void {
    this.#lookElsewhere = listener;
  }

  /**
   * The workspace has other folders than before. VS Code in a browser opens a workspace file without folders, and
   * brings them when it has read the file: a chat that was made meanwhile would belong to none, and never be found.
   */
  async foldersChanged(): Promise<void> {
    // Whoever wanted the first chat hears why it cannot be shown.
    await this.#starting?.catch(() => undefined);
    const shown = this.panel.session;
    if (shown === null) {
      // No chat was wanted yet.
      return;
    }
    await this.chats.takeFolders(shown);
    await this.#lookElsewhere();
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

  /** Creates a chat and shows it. A chat on show that is as new already is kept. */
  async newChat(): Promise<ChatSession> {
    const shown = this.panel.session;
    const kept = shown !== null && this.chats.isAsNew(shown) ? shown : null;
    const session = await this.#present(() => (kept === null ? this.chats.create() : Promise.resolve(kept)));
    this.panel.focusComposer();
    return session;
  }

  async show(chatId: string): Promise<ChatSession> {
    return this.#present(() => this.#open(chatId));
  }

  /** Deletes a chat and offers to take that back; the one on show gives way to the latest. */
  async deleteChat(chatId: string): Promise<void> {
    const title = this.chats.list().find((item) => item.id === chatId)?.title ?? 'The chat';
    await this.chats.delete(chatId);
    if (this.panel.session?.id === chatId) {
      await this.#showLatest();
    }
    this.panel.banners.show({
      id: `deleted-${chatId}`,
      severity: 'info',
      text: `"${title}" was deleted.`,
      actions: [{ label: 'Undo', action: 'undoDelete', argument: chatId }, DISMISS],
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
    if (editing !== null) {
      await session.conversation.reachMessage(editing);
      session.conversation.checkIdle();
    }
    session.conversation.checkFree();
    if (text.trim() === '') {
      throw failure('chat.emptyMessage');
    }
    if (editing !== null) {
      // Fails here, while the draft still stands: a retry may have set the message aside meanwhile.
      findUserMessage(session.state, editing);
    }
    const run = editing === null ? session.conversation.send(text) : session.conversation.edit(editing, text);
    this.drafts.finish(session.id);
    this.panel.draftChanged();
    try {
      await run;
    } catch (thrown) {
      if (editing !== null && toLoupeError(thrown).code === 'chat.busyElsewhere') {
        // Nothing was set aside: what was written goes on being an edit.
        this.drafts.beginEdit(session.id, editing, text);
        this.panel.draftChanged();
      }
      throw thrown;
    }
  }

  /** Takes a message that waits to be sent back into the composer, in front of what is written there. */
  async takeBack(session: ChatSession, messageId: string): Promise<void> {
    this.drafts.prepend(session.id, await session.conversation.takeBack(messageId));
    this.panel.draftChanged();
    this.panel.focusComposer();
  }

  /** Puts a sent message into the composer; sending then replaces it and what follows. */
  async beginEdit(session: ChatSession, messageId: string): Promise<void> {
    await session.conversation.reachMessage(messageId);
    session.conversation.checkIdle();
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

  /** Copies a chat of another workspace, by the path of its folder, and shows it. Throws `cancelled`. */
  async importChat(path: string, watch: CopyWatch): Promise<ChatSession> {
    return this.#present(() => this.chats.importChat(path, watch));
  }

  async fork(session: ChatSession, messageId: string): Promise<ChatSession> {
    return this.#present(() => this.chats.fork(session, messageId));
  }

  /** Begins anew: shows a fresh chat with the settings and the context of this one, which stays as it is. */
  async clear(session: ChatSession): Promise<ChatSession> {
    return this.#present(() => this.chats.fresh(session));
  }

  /** The one on show gives way to the latest; whoever deleted it can take that back. */
  async #deletedElsewhere({ id, title }: Pick<ChatListItem, 'id' | 'title'>): Promise<void> {
    try {
      if (this.panel.session?.id === id) {
        await this.#showLatest();
      }
    } catch (thrown) {
      this.panel.fail(toLoupeError(thrown));
    }
    const text = `"${title}" was deleted in another window.`;
    this.panel.banners.show({ id: `deleted-${id}`, severity: 'info', text, actions: [DISMISS] });
    this.panel.changed();
  }

  async #start(): Promise<ChatSession> {
    await this.chats.refresh();
    this.panel.listed();
    this.#lookElsewhere().catch((thrown: unknown) => {
      this.panel.fail(toLoupeError(thrown));
    });
    const last = await this.#storage.read();
    if (last !== null && this.chats.list().some((item) => item.id === last && isReadable(item))) {
      return this.show(last);
    }
    return this.#showLatest();
  }

  async #showLatest(): Promise<ChatSession> {
    const latest = this.chats.list().find(isReadable);
    return this.#present(() => (latest === undefined ? this.chats.create() : this.#open(latest.id)));
  }

  /** Opens a chat. The panel says so when that takes its time, and lets the user cancel it. */
  async #open(chatId: string): Promise<ChatSession> {
    const abort = new AbortController();
    const asked = this.#asked;
    const cancel = abort.abort.bind(abort);
    const progress = (share: number): void => {
      // Whoever has gone on to another chat does not wait for this one.
      if (asked === this.#asked) {
        this.panel.opening({ share, cancel });
      }
    };
    progress(0);
    try {
      return await this.chats.openWatched(chatId, { signal: abort.signal, progress });
    } finally {
      if (asked === this.#asked) {
        this.panel.opening(null);
      }
    }
  }

  /** Shows a chat when it is there, unless another one was asked for since: reading a long chat takes its time. */
  async #present(opening: () => Promise<ChatSession>): Promise<ChatSession> {
    this.#asked += 1;
    const asked = this.#asked;
    const session = await opening();
    await this.drafts.load(session.id);
    if (asked === this.#asked || this.panel.session === null) {
      this.panel.show(session);
    }
    return session;
  }
}

/** A chat that cannot be read is listed without a time. */
function isReadable({ updatedAt }: ChatListItem): boolean {
  return updatedAt > 0;
}
