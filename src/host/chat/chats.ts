import { isDeepStrictEqual } from 'node:util';
import { ledgerTotals } from '../../engine/accounting/ledger.js';
import type { UsageTotals } from '../../engine/accounting/usage.js';
import type { ChatConfig } from '../../engine/chat/config.js';
import { isUntouched } from '../../engine/chat/exported.js';
import type { EventDraft } from '../../engine/chat/slices/table.js';
import { newChatId } from '../../engine/chat/ids.js';
import { failure, toLoupeError } from '../../engine/errors.js';
import type { ChatListItem } from '../../protocol/view.js';
import { createdChat, type OpenedChat } from '../../storage/chatLog.js';
import type { ChatStore } from '../../storage/chatStore.js';
import type { CopyWatch } from '../../storage/copyChat.js';
import type { ReadWatch } from '../../storage/logReading.js';
import type { SearchQuery, SearchResult } from '../../storage/search.js';
import { textsInMemory } from './textsInMemory.js';
import { BackgroundCount } from './backgroundCount.js';
import { ChatList } from './chatList.js';
import { ChatSession, type SessionPorts } from './chatSession.js';
import { DerivedUpdates } from './derivedUpdates.js';
import { forkChat } from './forkChat.js';
import { Learned } from './learned.js';
import { Requests, type RequestPorts } from './requests.js';

/** What the chats of a window need from outside. */
export type ChatsPorts = SessionPorts &
  RequestPorts & {
    /** The config a new chat starts with, from the settings as they are now. */
    defaults(): ChatConfig;
    /** URIs of the workspace folders. */
    folders(): readonly string[];
  };

/** What the list of chats needs to hear. */
export interface ChatsListener {
  /** A chat came, went or changed; null when it may be any. */
  changed(chatId: string | null): void;
}

/** What another window did to a chat of this one. */
export interface OtherWindowListener {
  deleted(chat: Pick<ChatListItem, 'id' | 'title'>): void;
  broughtBack(chatId: string): void;
}

type Created = Extract<EventDraft, { readonly type: 'chat-created' }>;

/** All chats of the workspace: those that are open, each with its session, and those on disk. */
export class Chats {
  readonly #store: ChatStore;
  readonly #ports: ChatsPorts;
  readonly #open = new Map<string, Promise<ChatSession>>();
  /** Sessions of chats that were deleted: undoing that goes on with them, since a chat has one session only. */
  readonly #deleted = new Map<string, Promise<ChatSession>>();
  readonly #list: ChatList;
  readonly #derived: DerivedUpdates;
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
    this.#derived = new DerivedUpdates(store, ports.logError.bind(ports));
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
    const answered = (await openedOf(this.#open.values())).filter(({ isAnsweredElsewhere }) => isAnsweredElsewhere);
    await this.look([...answered.map(({ id }) => id), ...this.#list.beingCreated]);
  }

  async create(): Promise<ChatSession> {
    return this.#create({ config: this.#ports.defaults(), parent: null }, []);
  }

  /** Whether a chat still is what `create` would make now. */
  isAsNew({ readOnly, state }: ChatSession): boolean {
    const { config, folders } = state;
    return (
      readOnly === null &&
      isUntouched(state) &&
      isDeepStrictEqual({ config, folders }, { config: this.#ports.defaults(), folders: this.#ports.folders() })
    );
  }

  /** Has a chat that nothing was done with yet belong to the folders that the workspace has now. */
  async takeFolders(session: ChatSession): Promise<void> {
    const folders = this.#ports.folders();
    if (session.readOnly === null && isUntouched(session.state) && !isDeepStrictEqual(session.state.folders, folders)) {
      await session.record([{ type: 'folders-changed', folders }]);
    }
  }

  /** A new chat with the settings and the context of another, and nothing else. One in which nothing was said is that itself. */
  async fresh(session: ChatSession): Promise<ChatSession> {
    const { config, context, timeline, extent } = session.state;
    if (extent === 'whole' && timeline.length === 0) {
      return session;
    }
    const items = [...context.values()].map((item) => ({ type: 'context-added', item }) as const);
    return this.#create({ config, parent: null }, items);
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
    return this.openWatched(chatId, UNWATCHED);
  }

  /** The same, for someone who looks on while it is read. Whoever opens it at the same time is told that it was `cancelled`, too. */
  async openWatched(chatId: string, watch: ReadWatch): Promise<ChatSession> {
    const opening = this.#open.get(chatId) ?? this.#load(chatId, watch);
    this.#open.set(chatId, opening);
    try {
      await opening;
    } catch (thrown) {
      (this.#deleted.get(chatId) === opening ? this.#deleted : this.#open).delete(chatId);
      throw thrown;
    }
    if (this.#deleted.get(chatId) === opening) {
      throw failure('chat.deletedWhileRead');
    }
    return opening;
  }

  /** The ledger of a chat, without opening it. Rejects with `storage` when it cannot be read. */
  async totalsOf(chatId: string): Promise<UsageTotals> {
    const open = await this.#open.get(chatId);
    return open === undefined ? (await this.#store.row(chatId)).totals : ledgerTotals(open.state);
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
    this.#derived.close();
    // A long chat that is just being read is not waited for.
    await this.#store.stopReading();
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
    const session = this.#session(chatId, createdChat(events));
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

  async #load(chatId: string, watch: ReadWatch): Promise<ChatSession> {
    if (!(await this.#store.listChatIds()).includes(chatId)) {
      throw failure('chat.gone');
    }
    const session = this.#session(chatId, await this.#store.openEnd(chatId, watch));
    for (const text of [...session.faults.map((fault) => fault.text), ...session.state.problems]) {
      this.#ports.logError(failure('storage.fault', { chatId, fault: text }));
    }
    // Also ends the runs of windows that died.
    await session.look();
    if (this.#open.has(chatId)) {
      this.#list.set(session.state);
      this.#derived.changed(session);
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
    const open = this.#open.get(chatId);
    if (isDeleted) {
      await this.#deletedElsewhere(chatId);
    } else if (session !== undefined) {
      await this.#broughtBackElsewhere(chatId, await session);
    } else if (open !== undefined) {
      await (await open).look();
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
    await session.look();
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

  #session(chatId: string, opened: OpenedChat): ChatSession {
    const shared = { learned: this.learned, counting: new BackgroundCount(this.#ports) };
    const requests = new Requests(this.#ports, { blobs: this.#store.blobs(chatId), ...shared });
    const parts = { opened, journal: this.#store.journal(chatId), store: this.#store, requests, ...shared };
    const session = new ChatSession(parts, this.#ports);
    session.onChange((change) => {
      if (change === 'state' && this.#open.has(chatId)) {
        this.#list.set(session.state);
        this.#derived.changed(session);
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

/** A chat that cannot be opened has nothing in memory, and tells whoever opens it. */
async function openedOf(openings: Iterable<Promise<ChatSession>>): Promise<ChatSession[]> {
  return (await Promise.allSettled(openings)).flatMap((opening) => (opening.status === 'fulfilled' ? [opening.value] : []));
}

/** Nobody looks on. */
const UNWATCHED: ReadWatch = { progress: () => undefined, signal: new AbortController().signal };
