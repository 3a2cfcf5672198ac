import { isDeepStrictEqual } from 'node:util';
import type { EventDraft } from '../../engine/chat/event.js';
import { foldLog, type ChatState } from '../../engine/chat/fold.js';
import { newChatId } from '../../engine/chat/ids.js';
import { LoupeError, toLoupeError } from '../../engine/errors.js';
import type { ChatListItem } from '../../protocol/view.js';
import type { ChatContent } from '../../storage/chatReader.js';
import type { ChatStore } from '../../storage/chatStore.js';
import type { CopyWatch } from '../../storage/copyChat.js';
import type { SearchQuery, SearchResult } from '../../storage/search.js';
import { textsInMemory } from './textsInMemory.js';
import { BackgroundCount } from './backgroundCount.js';
import { Learned } from './learned.js';
import { ChatList } from './chatList.js';
import { ChatSession, type LogRead } from './chatSession.js';
import type { ChatsListener, ChatsPorts, OtherWindowListener } from './chatsPorts.js';
import { faultTexts } from './faultTexts.js';
import { Follower } from './follower.js';
import { forkChat } from './forkChat.js';
import type { ReadEarlier } from './history.js';
import { Indexing } from './indexing.js';
import { Requests } from './requests.js';
import { isUntouched } from './untouched.js';

/** The messages that a chat opens with: what a panel shows at first. */
const OPENED_MESSAGES = 50;

type Created = Extract<EventDraft, { readonly type: 'chat-created' }>;

/** All chats of the workspace: those that are open, each with its session, and those on disk. */
export class Chats {
  readonly #store: ChatStore;
  readonly #ports: ChatsPorts;
  readonly #open = new Map<string, Promise<ChatSession>>();
  /** Sessions of chats that were deleted: undoing that goes on with them, since a chat has one session only. */
  readonly #deleted = new Map<string, Promise<ChatSession>>();
  readonly #followers = new Map<string, Follower>();
  readonly #list: ChatList;
  readonly #indexing: Indexing;
  readonly #listeners = new Set<ChatsListener>();
  readonly #otherWindowListeners = new Set<OtherWindowListener>();
  /** Chats that this window is just deleting or bringing back: a look at one tells nothing. */
  readonly #changing = new Set<string>();
  /** How many of these changes are done: a look that one came between tells nothing either. */
  #changes = 0;
  #isClosed = false;
  /** What the chats opened in this window have told about their models. */
  readonly learned: Learned;
  /** See `ChatStore`. */
  readonly readLog: ChatStore['readLog'];

  constructor(store: ChatStore, ports: ChatsPorts) {
    this.#store = store;
    this.readLog = store.readLog.bind(store);
    this.#ports = ports;
    this.learned = new Learned(ports.clock);
    this.#list = new ChatList(store, ports.logError.bind(ports));
    this.#indexing = new Indexing(store, ports.logError.bind(ports));
  }

  onChange(listener: ChatsListener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Tells of what other windows did. */
  onOtherWindow(listener: OtherWindowListener): void {
    this.#otherWindowListeners.add(listener);
  }

  /** Reads what other windows may have changed; rejects with `storage` when the chats cannot be read at all. */
  async refresh(): Promise<void> {
    await this.#list.refresh((chatId) => this.#open.has(chatId));
    this.#tell(null);
  }

  /** The chats as of the last refresh and of everything that happened in this window since, latest first. */
  list(): ChatListItem[] {
    return this.#list.items();
  }

  /** The chats that other windows may write to, those being created included: there is no row for them yet. */
  watchedIds(): string[] {
    return [...this.#list.beingCreated, ...this.#list.items().map(({ id }) => id)];
  }

  /** Other windows may have written to these chats, made them or deleted them: takes over what is there. */
  async look(chatIds: readonly string[]): Promise<void> {
    for (const chatId of chatIds) {
      try {
        await this.#lookAt(chatId);
      } catch (thrown) {
        this.#ports.logError(toLoupeError(thrown));
      }
    }
  }

  /** Looks at every chat that there is, or was. Rejects with `storage` when the chats cannot be listed. */
  async lookAtAll(): Promise<void> {
    const here = [...this.#open.keys(), ...this.#deleted.keys(), ...this.#list.ids()];
    await this.look([...new Set([...(await this.#store.listChatIds()), ...here])]);
  }

  /** Looks at the chats that other windows are answering in, or just creating: one that dies tells nobody. */
  async lookAtRuns(): Promise<void> {
    const answered = [...this.#followers].filter(([, follower]) => follower.isAnsweredElsewhere).map(([chatId]) => chatId);
    await this.look([...answered, ...this.#list.beingCreated]);
  }

  async create(): Promise<ChatSession> {
    return this.#create({ config: this.#ports.defaults(), parent: null }, []);
  }

  /** Whether a chat still is what `create` would make now. */
  isAsNew(session: ChatSession): boolean {
    const { config, folders } = session.state;
    return (
      isUntouched(session) && isDeepStrictEqual({ config, folders }, { config: this.#ports.defaults(), folders: this.#ports.folders() })
    );
  }

  /** Has a chat that nothing was done with yet belong to the folders that the workspace has now. */
  async takeFolders(session: ChatSession): Promise<void> {
    const folders = this.#ports.folders();
    if (isUntouched(session) && !isDeepStrictEqual(session.state.folders, folders)) {
      await session.record([{ type: 'folders-changed', folders }]);
    }
  }

  /** A new chat with the conversation up to and including a message, the context and the settings. */
  fork(session: ChatSession, messageId: string): Promise<ChatSession> {
    return forkChat(session, messageId, {
      create: this.#create.bind(this),
      discard: this.delete.bind(this),
      blobs: this.#store.blobs.bind(this.#store),
      logError: this.#ports.logError.bind(this.#ports),
    });
  }

  /** Copies the chat in the folder `path`, of another workspace, with its whole history. Throws `cancelled`. */
  async importChat(path: string, watch: CopyWatch): Promise<ChatSession> {
    const chatId = newChatId(this.#ports.clock, this.#ports.random);
    await this.#store.importChat(path, { chatId, folders: this.#ports.folders() }, watch);
    const session = await this.open(chatId);
    this.#tell(chatId);
    return session;
  }

  /** Opens a chat, or gives the session it has. Rejects with `storage` when it cannot be read. */
  open(chatId: string): Promise<ChatSession> {
    return this.openWatched(chatId, () => undefined);
  }

  /** Opens a chat, and tells of the share that was read, from 0 to 1, where that takes its time. */
  async openWatched(chatId: string, progress: (share: number) => void): Promise<ChatSession> {
    const opening = this.#open.get(chatId) ?? this.#load(chatId, progress);
    this.#open.set(chatId, opening);
    try {
      await opening;
    } catch (thrown) {
      (this.#deleted.get(chatId) === opening ? this.#deleted : this.#open).delete(chatId);
      throw thrown;
    }
    if (this.#deleted.get(chatId) === opening) {
      throw new LoupeError('invalidInput', 'That chat was deleted while it was being read.');
    }
    return opening;
  }

  /**
   * The end of a long chat that is being opened and takes its time; null when opening is as quick. Never rejects:
   * whoever opens the chat hears what is wrong with it.
   */
  async glimpse(chatId: string): Promise<ChatState | null> {
    try {
      const fold = this.#followers.has(chatId) ? null : await this.#store.glimpse(chatId, OPENED_MESSAGES);
      // The line that created an imported chat names the chat that it was copied from.
      return fold === null ? null : { ...fold.state, chatId };
    } catch (thrown) {
      this.#ports.logError(toLoupeError(thrown));
      return null;
    }
  }

  /** The state of a chat, without opening it: for its figures alone. Rejects with `storage` when it cannot be read. */
  async peek(chatId: string): Promise<ChatState> {
    const open = this.#open.get(chatId);
    if (open !== undefined) {
      return (await open).state;
    }
    return (await this.#store.openChat(chatId, 0)).fold.state;
  }

  /** Searches all chats, also what is only in memory yet; logs what could not be read. Throws `cancelled` when the signal aborts. */
  async search(query: SearchQuery, signal: AbortSignal): Promise<SearchResult> {
    const result = await this.#store.search(query, await textsInMemory(this.#open.values()), signal);
    result.failures.forEach(({ error }) => {
      this.#ports.logError(error);
    });
    return result;
  }

  /** What a chat is called in the list; it is read when the list does not have it yet. */
  titleOf(chatId: string): Promise<string> {
    return this.#list.titleOf(chatId);
  }

  /** Deletes a chat; its run, if any, is stopped first. `undelete` brings it back until this window closes. */
  delete(chatId: string): Promise<void> {
    return this.#change(chatId, async () => {
      const open = this.#open.get(chatId);
      const session = await open;
      await session?.closeForDeletion();
      try {
        await this.#store.deleteChat(chatId);
      } catch (thrown) {
        // It is still there, and as usable as before.
        session?.reopen();
        throw thrown;
      }
      if (open !== undefined) {
        this.#deleted.set(chatId, open);
      }
      this.#open.delete(chatId);
      this.#list.delete(chatId);
    });
  }

  undelete(chatId: string): Promise<void> {
    return this.#change(chatId, async () => {
      await this.#store.undeleteChat(chatId);
      const session = this.#deleted.get(chatId);
      if (session === undefined) {
        this.#list.put(await this.#list.fromDisk(chatId));
      } else {
        this.#putBack(chatId, await session);
      }
    });
  }

  /** Ends all runs as interrupted and brings everything to the disk; what was deleted goes for good. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#indexing.close();
    // A long chat that is just being opened or indexed is not waited for.
    await this.#store.stopIndexing();
    const closings = [...this.#open.values()].map(async (opening) => {
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

  async #create(origin: Pick<Created, 'config' | 'parent'>, more: readonly EventDraft[]): Promise<ChatSession> {
    const chatId = newChatId(this.#ports.clock, this.#ports.random);
    const created: Created = { type: 'chat-created', chatId, folders: this.#ports.folders(), ...origin };
    const { events, written } = this.#store.journal(chatId).append([created, ...more], 'durable');
    const log = { fold: foldLog(events), start: null, events };
    const session = this.#session(chatId, { ...log, readOnly: null, faults: [], position: new Map() });
    this.#open.set(chatId, Promise.resolve(session));
    this.#list.set(session.state);
    try {
      await written;
    } catch (thrown) {
      // The chat works from memory; the journal's state tells the panel, which shows it.
      this.#ports.logError(toLoupeError(thrown));
    }
    this.#tell(chatId);
    return session;
  }

  async #load(chatId: string, progress: (share: number) => void): Promise<ChatSession> {
    if (!(await this.#store.listChatIds()).includes(chatId)) {
      throw new LoupeError('invalidInput', 'That chat is not there any more.');
    }
    const read = await this.#store.openChat(chatId, OPENED_MESSAGES, { progress });
    const faults = faultTexts(read.faults);
    const session = this.#session(chatId, { ...read, faults });
    for (const text of [...faults.map((fault) => fault.text), ...session.state.problems]) {
      this.#ports.logError(new LoupeError('storage', `Chat ${chatId}: ${text}`));
    }
    await this.#followers.get(chatId)?.closeDeadRuns(read);
    if (this.#open.has(chatId)) {
      this.#list.set(session.state);
    }
    return session;
  }

  async #lookAt(chatId: string): Promise<void> {
    const changes = this.#changes;
    const isDeleted = await this.#store.isDeleted(chatId);
    if (this.#isClosed || this.#changing.has(chatId) || changes !== this.#changes) {
      return;
    }
    const session = this.#deleted.get(chatId);
    if (isDeleted) {
      await this.#deletedElsewhere(chatId);
    } else if (session !== undefined) {
      await this.#broughtBackElsewhere(chatId, await session);
    } else if (this.#open.has(chatId)) {
      await this.#open.get(chatId);
      await this.#followers.get(chatId)?.look();
    } else {
      await this.#readRow(chatId);
    }
  }

  async #deletedElsewhere(chatId: string): Promise<void> {
    const open = this.#open.get(chatId);
    const item = this.#list.get(chatId);
    if (open === undefined && item === undefined) {
      return;
    }
    this.#open.delete(chatId);
    this.#list.delete(chatId);
    if (open !== undefined) {
      this.#deleted.set(chatId, open);
    }
    this.#tell(chatId);
    for (const listener of this.#otherWindowListeners) {
      listener.deleted({ id: chatId, title: item?.title ?? 'The chat' });
    }
    await (await open)?.closeForDeletion();
  }

  async #broughtBackElsewhere(chatId: string, session: ChatSession): Promise<void> {
    if (!this.#deleted.has(chatId)) {
      return;
    }
    this.#putBack(chatId, session);
    this.#tell(chatId);
    for (const listener of this.#otherWindowListeners) {
      listener.broughtBack(chatId);
    }
    // What the chat refused while it was deleted.
    await session.retryStorage();
    await this.#followers.get(chatId)?.look();
  }

  #putBack(chatId: string, session: ChatSession): void {
    session.reopen();
    this.#deleted.delete(chatId);
    this.#open.set(chatId, Promise.resolve(session));
    this.#list.set(session.state);
  }

  async #readRow(chatId: string): Promise<void> {
    const changes = this.#changes;
    const item = (await this.#store.listChatIds()).includes(chatId) ? await this.#list.fromDisk(chatId) : null;
    if (changes === this.#changes && !this.#changing.has(chatId) && !this.#open.has(chatId) && this.#list.put(item)) {
      this.#tell(chatId);
    }
  }

  #session(chatId: string, { position, ...log }: LogRead & Pick<ChatContent, 'position'>): ChatSession {
    const counting = new BackgroundCount(this.#ports);
    const shared = { learned: this.learned, counting };
    const requests = new Requests(this.#ports, { blobs: this.#store.blobs(chatId), ...shared });
    const outOfOrder = (): void => {
      void follower.lookAtWhole();
    };
    const readEarlier: ReadEarlier = (before, wanted) => this.#store.readEarlier(chatId, before, wanted);
    const parts = { ...log, journal: this.#store.journal(chatId), requests, ...shared, outOfOrder, readEarlier };
    const session = new ChatSession(parts, this.#ports);
    const { writerId } = this.#ports;
    const follower = new Follower(session, this.#store, { writerId, logError: this.#ports.logError.bind(this.#ports), position });
    this.#followers.set(chatId, follower);
    session.onChange((change) => {
      if (change === 'state' && this.#open.has(chatId)) {
        this.#list.set(session.state);
        this.#indexing.changed(session);
        this.#tell(chatId);
      }
    });
    return session;
  }

  async #change(chatId: string, change: () => Promise<void>): Promise<void> {
    this.#changing.add(chatId);
    try {
      await change();
    } finally {
      this.#changing.delete(chatId);
      this.#changes += 1;
    }
    this.#tell(chatId);
  }

  #tell(chatId: string | null): void {
    for (const listener of this.#listeners) {
      listener.changed(chatId);
    }
  }
}
