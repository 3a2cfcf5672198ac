import { contextAdded } from '../../engine/chat/slices/context.js';
import type { NewEvent } from '../../engine/chat/slices/table.js';
import { newChatId } from '../../engine/chat/order/ids.js';
import { failure, toLoupeError, logFailure } from '../../engine/errors.js';
import type { SpentSum } from '../../engine/spend/limits.js';
import { Listeners } from '../../engine/listeners.js';
import type { ChatListItem } from '../../protocol/panel/view.js';
import { NOT_WATCHED, type OpenedChat, createdChat } from '../../storage/reading/chatLog.js';
import type { ChatStore } from '../../storage/chatStore.js';
import type { CopyWatch } from '../../storage/files/copyWatch.js';
import type { ReadWatch } from '../../storage/reading/logReading.js';
import type { SearchQuery, SearchResult } from '../../storage/search/search.js';
import { textsInMemory } from './textsInMemory.js';
import { ChatList } from './chatList.js';
import { ChatUsage } from './chatUsage.js';
import { ChatSession, type SessionPorts } from './chatSession.js';
import { type ForkPoint, forkChat } from './forkChat.js';
import { type ImportedFile, importExported } from './importExported.js';
import { NewChat, type NewChatPorts } from './newChat.js';
import { ModelLearning } from '../../engine/next/learned.js';
import { SpentToday, type SpentTodayPorts } from './spend/spentToday.js';
import { OpenChats } from './windows/openChats.js';
import { OtherWindows } from './windows/otherWindows.js';

/** What all chats of a window share. */
export type ChatsPorts = Omit<SessionPorts, 'learned' | 'blobs' | 'journal' | 'claim' | 'summaryClaim' | 'store' | 'workspaceSpending'> &
  NewChatPorts &
  Pick<SpentTodayPorts, 'localTime'> & { readonly spendLimits: SessionPorts['workspaceSpending']['limits'] };

export interface ChatsListener {
  /** Called when a chat was added, removed or changed. Null means that any chat may have changed. */
  changed(chatId: string | null): void;
}

type ChatCreatedEvent = Extract<NewEvent, { readonly type: 'chat-created' }>;

/** All chats of the workspace. Chats that are open in this window have a session. All other chats are only on disk. */
export class Chats {
  readonly #store: ChatStore;
  readonly #ports: ChatsPorts;
  readonly #open: OpenChats;
  readonly #list: ChatList;
  readonly #spentToday: SpentToday;
  readonly #listeners = new Listeners<[string | null]>();
  /** Called with the id of a chat when its next request was composed again. */
  readonly nextChanges = new Listeners<[string]>();
  #isListed = false;
  /** Applies what other VS Code windows do to the chats. See `OtherWindows`. */
  readonly otherWindows: OtherWindows;
  readonly learned: ModelLearning;
  readonly usage: ChatUsage;
  readonly newChat: NewChat;
  readonly exported: Pick<ChatStore, 'transfers' | 'blobs'>;

  constructor(store: ChatStore, ports: ChatsPorts) {
    this.#store = store;
    this.exported = store;
    this.#ports = ports;
    this.newChat = new NewChat(ports);
    this.learned = new ModelLearning(ports.clock);
    this.#list = new ChatList(store, ports.logError.bind(ports));
    this.#open = new OpenChats(this.#list);
    const own = { store, open: this.#open, list: this.#list, logError: ports.logError.bind(ports) };
    const tell = this.#tell.bind(this);
    this.otherWindows = new OtherWindows({ ...own, tell });
    this.usage = new ChatUsage({ ...own, tell, refresh: this.refresh.bind(this) });
    const { clock, localTime } = ports;
    const read = { usage: this.usage, refresh: this.refresh.bind(this), list: this.list.bind(this) };
    this.#spentToday = new SpentToday({ ...read, clock, localTime });
  }

  /** Call this after `learned` has learned from closed chats: the figures of any chat may have changed. */
  figuresChanged(): void {
    this.#tell(null);
  }

  onChange(listener: ChatsListener): () => void {
    return this.#listeners.add(listener.changed.bind(listener));
  }

  /** Reads the list of chats again. Rejects with `storage` when the chats cannot be listed. */
  async refresh(): Promise<void> {
    await this.#list.refresh((chatId) => this.#open.has(chatId));
    this.#isListed = true;
    this.#tell(null);
  }

  /** Whether Loupe has read the list of chats. An empty list before that does not mean that no chats exist. */
  get isListed(): boolean {
    return this.#isListed;
  }

  /** Returns the rows of all chats, latest first, with all changes that this VS Code window has seen. */
  list(): ChatListItem[] {
    return this.#list.items();
  }

  /** Whether the list has a row for the chat. */
  has(chatId: string): boolean {
    return this.#list.get(chatId) !== undefined;
  }

  /** Returns whether the chat has no content of the user yet. See `ChatList.isUntouched`. */
  isUntouched(chatId: string): boolean {
    return this.#list.isUntouched(chatId);
  }

  /** Returns the ids of all chats, including chats that other VS Code windows are creating, which have no row yet. */
  watchedIds(): string[] {
    return [...this.#list.beingCreated, ...this.#list.items().map(({ id }) => id)];
  }

  /** Returns the cost of all chats of the workspace today and this week. Rejects like `SpentToday.sum`. */
  spentSums(): ReturnType<SpentToday['sums']> {
    return this.#spentToday.sums();
  }

  /** Returns the cost of all chats of the workspace on the current local day. Rejects as `SpentToday.sum` does. */
  spentToday(): Promise<SpentSum> {
    return this.#spentToday.sum();
  }

  /** Call this when the spend limits of the settings may have changed. */
  limitsChanged(): void {
    for (const { spending } of this.sessions()) {
      spending.limitsChanged();
    }
  }

  /** Creates a chat with the context items whose include mode is `always`. */
  async create(): Promise<ChatSession> {
    const { config } = this.newChat;
    return this.#create({ config, parent: null }, (await this.newChat.items(config)).map(contextAdded));
  }

  sessions(): readonly ChatSession[] {
    return this.#open.sessions();
  }

  /** Creates a chat with the settings and context of another chat. Returns a chat without messages unchanged. */
  async fresh(session: ChatSession): Promise<ChatSession> {
    const { config, context, timeline, extent } = session.state;
    if (extent === 'whole' && timeline.length === 0) {
      return session;
    }
    return this.#create({ config, parent: null }, [...context.values()].map(contextAdded));
  }

  /** Copies a chat with settings and context, up to the message with the id `at` or to just before `at.message`. */
  fork(session: ChatSession, at: string | ForkPoint): Promise<ChatSession> {
    return forkChat(session, at, {
      create: this.#create.bind(this),
      discard: this.delete.bind(this),
      blobs: this.#store.blobs.bind(this.#store),
      logError: this.#ports.logError.bind(this.#ports),
    });
  }

  /** Copies a chat of another workspace with its history. `path` is the folder of the chat. Throws `cancelled`. */
  async importChat(path: string, watch: CopyWatch): Promise<ChatSession> {
    const chat = this.#newCopy();
    await this.#store.transfers.importChat(path, chat, watch);
    const session = await this.open(chat.chatId);
    this.#tell(chat.chatId);
    return session;
  }

  /** Imports an exported file or folder as a new chat. Throws `cancelled`, or `invalidInput` when the import fails. */
  async importFile(path: string, watch: CopyWatch): Promise<ImportedFile> {
    const ports = { store: this.#store, chat: this.#newCopy(), open: this.openWatched.bind(this) };
    const imported = await importExported(path, ports, watch);
    this.#tell(imported.session.id);
    return imported;
  }

  /** Opens a chat, or returns its open session. Rejects with `storage` when it cannot be read. */
  open(chatId: string): Promise<ChatSession> {
    return this.openWatched(chatId, NOT_WATCHED);
  }

  /** Works like `open`, with progress and a way to cancel. A cancel rejects all pending `open` calls for the chat. */
  async openWatched(chatId: string, watch: ReadWatch): Promise<ChatSession> {
    const opening = this.#open.get(chatId) ?? this.#load(chatId, watch);
    this.#open.add(chatId, opening);
    try {
      await opening;
    } catch (thrown) {
      this.#open.forget(chatId, opening);
      throw thrown;
    }
    if (this.#open.deleted(chatId) === opening) {
      throw failure('chat.deletedWhileRead');
    }
    return opening;
  }

  /** Searches all chats and text that is not on disk yet. Logs unreadable chats. Throws `cancelled` when aborted. */
  async search(query: SearchQuery, signal: AbortSignal): Promise<SearchResult> {
    const result = await this.#store.search(query, await textsInMemory(this.#open.all()), signal);
    result.failures.forEach(({ error }) => {
      this.#ports.logError(error);
    });
    return result;
  }

  /** Returns the title of a chat. See `ChatList.titleOf`. */
  titleOf(chatId: string): Promise<string> {
    return this.#list.titleOf(chatId);
  }

  /** Stops the run of a chat, then deletes the chat. `undelete` can restore it until this VS Code window closes. */
  delete(chatId: string): Promise<void> {
    return this.#change(chatId, async () => {
      const session = await this.#open.get(chatId);
      await session?.closeForDeletion('thisWindow');
      try {
        await this.#store.deleteChat(chatId);
      } catch (thrown) {
        // The deletion failed, so the chat still exists and must accept changes again.
        session?.reopen();
        throw thrown;
      }
      this.#open.markDeleted(chatId);
    });
  }

  undelete(chatId: string): Promise<void> {
    return this.#change(chatId, async () => {
      await this.#store.undeleteChat(chatId);
      const session = this.#open.deleted(chatId);
      if (session === undefined) {
        this.#list.put(await this.#list.fromDisk(chatId));
      } else {
        this.#open.putBack(chatId, await session);
      }
    });
  }

  /** Ends all runs as interrupted and writes everything to disk. Erases deleted chats permanently. */
  async close(): Promise<void> {
    this.otherWindows.close();
    // Cancel a running read: closing the window must not wait until a long chat is read.
    await this.#store.stopReading();
    const closings = this.#open.all().map(async (opening) => {
      await (await opening).shutDown();
    });
    for (const closed of await Promise.allSettled(closings)) {
      const failure = closed.status === 'rejected' ? toLoupeError(closed.reason) : null;
      if (failure !== null && failure.kind !== 'cancelled') {
        this.#ports.logError(failure);
      }
    }
    await this.#store.close();
  }

  #newCopy(): { readonly chatId: string; readonly folders: readonly string[] } {
    return { chatId: newChatId(this.#ports.clock, this.#ports.random), folders: this.newChat.folders };
  }

  async #create(origin: Pick<ChatCreatedEvent, 'config' | 'parent'>, more: readonly NewEvent[]): Promise<ChatSession> {
    const chatId = newChatId(this.#ports.clock, this.#ports.random);
    const created: ChatCreatedEvent = { type: 'chat-created', chatId, folders: this.newChat.folders, ...origin };
    const { events, written } = this.#store.journal(chatId).append([created, ...more], 'durable');
    const session = this.#session(chatId, createdChat(events));
    this.#open.add(chatId, Promise.resolve(session));
    this.#list.set(session);
    // After a failed save, the session continues from memory, and the panel shows the failure.
    await written.catch(logFailure(this.#ports));
    this.#tell(chatId);
    return session;
  }

  async #load(chatId: string, watch: ReadWatch): Promise<ChatSession> {
    if (!(await this.#store.listChatIds()).includes(chatId)) {
      throw failure('chat.gone');
    }
    const deleted = await this.#open.deleted(chatId);
    if (deleted !== undefined) {
      // Another window has undone the deletion. Keeps the old session, because two sessions would both send messages.
      await this.otherWindows.restored(chatId, deleted);
      return deleted;
    }
    const session = this.#session(chatId, await this.#store.openEnd(chatId, watch));
    for (const text of [...session.faults.map((fault) => fault.text), ...session.state.problems]) {
      this.#ports.logError(failure('storage.fault', { chatId, fault: text }));
    }
    // Polls, which also ends the runs of crashed windows.
    await session.poll();
    if (this.#open.has(chatId)) {
      this.#list.set(session);
    }
    return session;
  }

  #session(chatId: string, opened: OpenedChat): ChatSession {
    const session = new ChatSession(opened, {
      ...this.#ports,
      learned: this.learned,
      blobs: this.#store.blobs(chatId),
      journal: this.#store.journal(chatId),
      claim: this.#store.runClaim(chatId, 'run'),
      summaryClaim: this.#store.runClaim(chatId, 'summary'),
      store: this.#store,
      workspaceSpending: { limits: () => this.#ports.spendLimits(), spentToday: this.spentToday.bind(this) },
    });
    session.onChange((change) => {
      if (change === 'state' && this.#open.has(chatId)) {
        this.#list.set(session);
        this.#tell(chatId);
      } else if (change === 'next') {
        this.nextChanges.call(chatId);
      }
    });
    return session;
  }

  async #change(chatId: string, change: () => Promise<void>): Promise<void> {
    await this.#open.change(chatId, change);
    this.#tell(chatId);
  }

  #tell(chatId: string | null): void {
    this.#listeners.call(chatId);
  }
}
