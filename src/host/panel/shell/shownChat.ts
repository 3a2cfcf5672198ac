import { chatTitle } from '../../../engine/chat/message/opening.js';
import { logFailure, toLoupeError, type LoupeError } from '../../../engine/errors.js';
import type { ChatListItem } from '../../../protocol/panel/view.js';
import type { CopyWatch } from '../../../storage/files/copyWatch.js';
import type { CurrentChatFile } from '../../../storage/currentChat.js';
import type { ChatSession } from '../../chat/chatSession.js';
import type { Chats } from '../../chat/chats.js';
import type { ImportedFile } from '../../chat/importExported.js';
import type { Drafts } from '../../chat/drafts.js';
import type { ChatDeletedElsewhere } from '../../chat/windows/otherWindows.js';
import { loadDraftsOfNewChats, usedChats } from '../../chat/usedChats.js';
import { type Banners, DISMISS } from '../../window/banners.js';
import type { Panel } from './panel.js';

export interface ShownChatPorts {
  readonly chats: Chats;
  readonly drafts: Pick<Drafts, 'load' | 'get'>;
  readonly panel: Pick<Panel, 'session' | 'show' | 'opening' | 'focusComposer'>;
  readonly banners: Pick<Banners, 'show' | 'hide' | 'fail'>;
  /** Stores the id of the visible chat, which is shown again after a restart. */
  readonly lastShown: Pick<CurrentChatFile, 'read' | 'write'>;
  /** Closes the panel when its chat was deleted elsewhere. Null for the view, which shows another chat instead. */
  readonly close: (() => void) | null;
  readonly isElsewhere: (chatId: string) => boolean;
  /** Called when the user has deleted a chat in this panel. */
  deleted(chatId: string): Promise<void>;
  logError(error: LoupeError): void;
}

export class ShownChat {
  readonly #ports: ShownChatPorts;
  #listed: () => Promise<void> = () => Promise.resolve();
  #starting: Promise<ChatSession> | null = null;
  /** The first reading of the list of chats; null before that reading and after its failure. */
  #listing: Promise<void> | null = null;
  #remembering: Promise<void> = Promise.resolve();
  /** The number of calls that show a chat. Only the latest call shows its chat. */
  #generation = 0;
  readonly #endOfListening: () => void;
  #isDisposed = false;
  /** Chats that this panel showed when they were deleted. */
  readonly #deletedHere = new Set<string>();

  constructor(ports: ShownChatPorts) {
    this.#ports = ports;
    this.#endOfListening = ports.chats.otherWindows.onChange({
      deleted: (chat) => {
        void this.#deletedElsewhere(chat);
      },
      restored: (chatId) => {
        ports.banners.hide(deletedBanner(chatId));
      },
    });
  }

  /** Sets a listener for the first reading of the list of chats and for each change of the workspace folders. */
  onListed(listener: () => Promise<void>): void {
    this.#listed = listener;
  }

  /** The visible chat; null until the first chat is shown. */
  get session(): ChatSession | null {
    return this.#ports.panel.session;
  }

  /** Returns the visible chat. The first call opens the last shown chat, or else the latest, or else creates a chat. */
  async current(): Promise<ChatSession> {
    if (this.session !== null) {
      return this.session;
    }
    this.#starting ??= this.#start();
    try {
      return await this.#starting;
    } finally {
      this.#starting = null;
    }
  }

  /** Opens the chat with the id `chatId` without showing it. For any other value returns the visible chat. */
  async named(chatId: unknown): Promise<ChatSession> {
    return typeof chatId === 'string' ? this.#ports.chats.open(chatId) : this.current();
  }

  async show(chatId: string): Promise<ChatSession> {
    return this.#present(() => this.#open(chatId));
  }

  /** Shows a new chat. Reuses an untouched chat of this VS Code window that no other panel shows, if possible. */
  async newChat(): Promise<ChatSession> {
    const { chats, drafts, panel, isElsewhere } = this.#ports;
    const { session: shown } = this;
    const session = await this.#present(async () => {
      for (const left of [...(shown === null ? [] : [shown]), ...chats.sessions()]) {
        if (!isElsewhere(left.id) && (await chats.newChat.equals(left)) && drafts.get(left.id).text === '') {
          return left;
        }
      }
      return chats.create();
    });
    panel.focusComposer();
    return session;
  }

  /** Reads the list of chats again. Returns the `usedChats`, latest first. */
  async listed(): Promise<ChatListItem[]> {
    const { chats, drafts } = this.#ports;
    await chats.refresh();
    await loadDraftsOfNewChats(chats, drafts);
    return usedChats(this.#ports, this.session);
  }

  /** Shows a new chat with the settings and context of `session`, which stays unchanged. Offers the way back. */
  async clear(session: ChatSession): Promise<ChatSession> {
    const { chats, banners } = this.#ports;
    const fresh = await this.#present(() => chats.fresh(session));
    if (fresh !== session) {
      banners.show({
        id: CLEARED,
        severity: 'info',
        text: `This new chat has the same settings and files. "${chatTitle(session.state)}" is still in Chats.`,
        actions: [{ label: 'Go back', action: 'openChat', argument: session.id }, DISMISS],
      });
    }
    return fresh;
  }

  async fork(session: ChatSession, messageId: string): Promise<ChatSession> {
    const fork = await this.#present(() => this.#ports.chats.fork(session, messageId));
    this.#ports.panel.focusComposer();
    return fork;
  }

  /** Copies the chat in the folder `path` of another workspace and shows the copy. Throws `cancelled`. */
  async import(path: string, watch: CopyWatch): Promise<ChatSession> {
    return this.#present(() => this.#ports.chats.importChat(path, watch));
  }

  /** Imports the chat in an exported file or folder and shows it. Throws `cancelled`, and `invalidInput` on failure. */
  async importFile(path: string, watch: CopyWatch): Promise<ImportedFile> {
    // Shows the chat only after reading the file, which may take long and may fail.
    const imported = await this.#ports.chats.importFile(path, watch);
    await this.#present(() => Promise.resolve(imported.session));
    return imported;
  }

  /** Deletes a chat and offers Undo. If the chat was visible in this panel, the latest chat replaces it. */
  async delete(chatId: string): Promise<void> {
    const { chats, banners } = this.#ports;
    const title = chats.list().find((item) => item.id === chatId)?.title ?? 'New chat';
    await chats.delete(chatId);
    if (this.session?.id === chatId) {
      this.#deletedHere.add(chatId);
      await this.#showLatest();
    }
    await this.#ports.deleted(chatId);
    banners.show({
      id: deletedBanner(chatId),
      severity: 'info',
      text: `The chat "${title}" was deleted.`,
      actions: [{ label: 'Undo', action: 'undoDelete', argument: chatId }, DISMISS],
    });
  }

  /** Brings a deleted chat back to the lists. Shows the chat again only if this panel showed it when it was deleted. */
  async undoDelete(chatId: string): Promise<void> {
    await this.#ports.chats.undelete(chatId);
    this.#ports.banners.hide(deletedBanner(chatId));
    if (this.#deletedHere.delete(chatId)) {
      await this.show(chatId);
    }
  }

  /** Call this when the chat was deleted in another panel or VS Code window. */
  async leave(chatId: string): Promise<void> {
    const { close } = this.#ports;
    if (this.session?.id !== chatId) {
      return;
    }
    if (close === null) {
      await this.#showLatest();
    } else {
      close();
    }
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#endOfListening();
  }

  /** Waits until the visible chat's id is on the disk, before the window closes. */
  flush(): Promise<void> {
    return this.#remembering;
  }

  /**
   * Assigns an untouched chat to the workspace's new folders. VS Code in a browser opens a workspace file without
   * folders and adds them after it has read the file. A chat created before that would belong to no folder and never be
   * found.
   */
  async foldersChanged(): Promise<void> {
    // The call that opens the first chat reports this error.
    await this.#starting?.catch(() => undefined);
    const { session } = this;
    if (session === null) {
      // The panel has not opened its first chat yet.
      return;
    }
    await this.#ports.chats.newChat.takeFolders(session);
    await this.#listed();
  }

  /** Shows that another VS Code window deleted the chat. Only that window can undo the deletion. */
  async #deletedElsewhere({ id, title, hasUnsaved }: ChatDeletedElsewhere): Promise<void> {
    const { banners } = this.#ports;
    try {
      await this.leave(id);
    } catch (thrown) {
      banners.fail(toLoupeError(thrown), null);
    }
    const text = `The chat "${title}" was deleted in another window.`;
    const unsaved = ' Your changes in this window are not saved. To keep them, choose Undo in the other window.';
    const banner = hasUnsaved ? ({ severity: 'warning', text: text + unsaved } as const) : ({ severity: 'info', text } as const);
    banners.show({ id: deletedBanner(id), ...banner, actions: [DISMISS] });
  }

  async #start(): Promise<ChatSession> {
    const { chats, lastShown } = this.#ports;
    await this.#list();
    const last = await lastShown.read();
    if (last !== null && chats.list().some((item) => item.id === last && isReadable(item))) {
      return this.show(last);
    }
    return this.#showLatest();
  }

  #list(): Promise<void> {
    this.#listing ??= this.#readList();
    return this.#listing;
  }

  async #readList(): Promise<void> {
    const { banners } = this.#ports;
    try {
      await this.listed();
    } catch (thrown) {
      this.#listing = null;
      throw thrown;
    }
    this.#listed().catch((thrown: unknown) => {
      banners.fail(toLoupeError(thrown), null);
    });
  }

  async #showLatest(): Promise<ChatSession> {
    const { chats } = this.#ports;
    const latest = chats.list().find(isReadable);
    return this.#present(() => (latest === undefined ? chats.create() : this.#open(latest.id)));
  }

  /** Opens a chat. During slow work, the panel shows progress and lets the user cancel. */
  async #open(chatId: string): Promise<ChatSession> {
    const { chats, panel } = this.#ports;
    const abort = new AbortController();
    const generation = this.#generation;
    const cancel = abort.abort.bind(abort);
    const progress = (share: number): void => {
      // The user may have opened another chat, and no longer waits for this one.
      if (generation === this.#generation) {
        panel.opening({ share, cancel });
      }
    };
    progress(0);
    try {
      return await chats.openWatched(chatId, { signal: abort.signal, progress });
    } finally {
      if (generation === this.#generation) {
        panel.opening(null);
      }
    }
  }

  /** Shows a chat when it is loaded, unless the user has selected another chat during a long read. */
  async #present(opening: () => Promise<ChatSession>): Promise<ChatSession> {
    this.#generation += 1;
    const generation = this.#generation;
    // The user no longer waits for a chat that is still opening.
    this.#ports.panel.opening(null);
    const session = await opening();
    await this.#ports.drafts.load(session.id);
    if (this.#isDisposed) {
      return session;
    }
    if (generation === this.#generation || this.session === null) {
      this.#ports.panel.show(session);
      this.#remember(session.id);
      // Reads the list of chats, because opening the first chat by its id does not read the list.
      this.#list().catch((thrown: unknown) => {
        this.#ports.banners.fail(toLoupeError(thrown), null);
      });
    }
    return session;
  }

  #remember(chatId: string): void {
    this.#remembering = this.#ports.lastShown.write(chatId).catch(logFailure(this.#ports));
  }
}

/** Id of the banner that leads back from a new chat to the chat whose settings and files it has. */
const CLEARED = 'cleared';

function deletedBanner(chatId: string): string {
  return `deleted-${chatId}`;
}

/** Whether a chat can be read. The row of an unreadable chat has no time. */
function isReadable({ updatedAt }: ChatListItem): boolean {
  return updatedAt > 0;
}
