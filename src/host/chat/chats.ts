import { isDeepStrictEqual } from 'node:util';
import { addTotals, attemptTotals, ledgerTotals } from '../../engine/accounting/ledger.js';
import type { UsageTotals } from '../../engine/accounting/usage.js';
import type { ChatConfig } from '../../engine/chat/config.js';
import { isUntouched } from '../../engine/chat/exported.js';
import type { EventDraft } from '../../engine/chat/slices/table.js';
import { newChatId } from '../../engine/chat/ids.js';
import { failure, toLoupeError } from '../../engine/errors.js';
import type { ChatListItem } from '../../protocol/view.js';
import { createdChat, NOT_WATCHED, type OpenedChat } from '../../storage/chatLog.js';
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
import { OpenChats } from './openChats.js';
import { OtherWindows } from './otherWindows.js';
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

type Created = Extract<EventDraft, { readonly type: 'chat-created' }>;

/** All chats of the workspace: those that are open, each with its session, and those on disk. */
export class Chats {
  readonly #store: ChatStore;
  readonly #ports: ChatsPorts;
  readonly #open: OpenChats;
  readonly #list: ChatList;
  readonly #derived: DerivedUpdates;
  readonly #listeners = new Set<ChatsListener>();
  /** See `OtherWindows`. */
  readonly otherWindows: OtherWindows;
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
    this.#open = new OpenChats(this.#list);
    const tell = this.#tell.bind(this);
    this.otherWindows = new OtherWindows({ store, open: this.#open, list: this.#list, tell, logError: ports.logError.bind(ports) });
    this.#derived = new DerivedUpdates(store, ports.logError.bind(ports));
  }

  onChange(listener: ChatsListener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
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
    return this.openWatched(chatId, NOT_WATCHED);
  }

  /** The same, for someone who looks on while it is read. Whoever opens it at the same time is told that it was `cancelled`, too. */
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

  /** The ledger of all chats, those that were deleted included. One that cannot be read counts nothing, and the log says so. */
  async totals(): Promise<UsageTotals> {
    await this.refresh();
    // A chat that is just being deleted may be both.
    const ids = new Set([...this.#list.ids(), ...(await this.#store.deletedIds())]);
    let totals = attemptTotals([]);
    for (const id of ids) {
      totals = addTotals(totals, await this.#totalsOf(id));
    }
    return totals;
  }

  /** Searches all chats, also what is only in memory yet; logs what could not be read. Throws `cancelled` when the signal aborts. */
  async search(query: SearchQuery, signal: AbortSignal): Promise<SearchResult> {
    const result = await this.#store.search(query, await textsInMemory(this.#open.all()), signal);
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
      const session = await this.#open.get(chatId);
      await session?.closeForDeletion();
      try {
        await this.#store.deleteChat(chatId);
      } catch (thrown) {
        // It is still there, and as usable as before.
        session?.reopen();
        throw thrown;
      }
      this.#open.setAside(chatId);
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

  /** Ends all runs as interrupted and brings everything to the disk; what was deleted goes for good. */
  async close(): Promise<void> {
    this.otherWindows.close();
    this.#derived.close();
    // A long chat that is just being read is not waited for.
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

  async #create(origin: Pick<Created, 'config' | 'parent'>, more: readonly EventDraft[]): Promise<ChatSession> {
    const chatId = newChatId(this.#ports.clock, this.#ports.random);
    const created: Created = { type: 'chat-created', chatId, folders: this.#ports.folders(), ...origin };
    const { events, written } = this.#store.journal(chatId).append([created, ...more], 'durable');
    const session = this.#session(chatId, createdChat(events));
    this.#open.add(chatId, Promise.resolve(session));
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

  #session(chatId: string, opened: OpenedChat): ChatSession {
    const shared = { learned: this.learned, counting: new BackgroundCount(this.#ports) };
    const requests = new Requests(this.#ports, { blobs: this.#store.blobs(chatId), ...shared });
    const parts = {
      opened,
      journal: this.#store.journal(chatId),
      claim: this.#store.runClaim(chatId),
      store: this.#store,
      requests,
      ...shared,
    };
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

  async #totalsOf(chatId: string): Promise<UsageTotals> {
    try {
      const open = await this.#open.get(chatId);
      return open === undefined ? await this.#store.totals(chatId) : ledgerTotals(open.state);
    } catch (thrown) {
      const error = toLoupeError(thrown);
      if (error.kind !== 'storage') {
        throw error;
      }
      this.#ports.logError(failure('storage.fault', { chatId, fault: error.message }, { cause: error }));
      return attemptTotals([]);
    }
  }

  async #change(chatId: string, change: () => Promise<void>): Promise<void> {
    await this.#open.change(chatId, change);
    this.#tell(chatId);
  }

  #tell(chatId: string | null): void {
    for (const listener of this.#listeners) {
      listener.changed(chatId);
    }
  }
}
