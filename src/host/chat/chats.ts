import { isDeepStrictEqual } from 'node:util';
import type { ChatConfig } from '../../engine/chat/config.js';
import type { EventDraft } from '../../engine/chat/event.js';
import { foldLog, type ChatState } from '../../engine/chat/fold.js';
import { newChatId } from '../../engine/chat/ids.js';
import { transcript } from '../../engine/chat/transcript.js';
import { LoupeError, toLoupeError } from '../../engine/errors.js';
import type { ChatListItem } from '../../protocol/view.js';
import type { ChatContent } from '../../storage/chatReader.js';
import type { ChatStore } from '../../storage/chatStore.js';
import { LiveLog } from './liveLog.js';
import { ChatSession, type SessionParts, type SessionPorts } from './chatSession.js';
import { Requests, type RequestPorts } from './requests.js';
import { chatTitle, summarize } from './summary.js';

export type ChatsPorts = SessionPorts &
  RequestPorts & {
    /** The config a new chat starts with, from the settings as they are now. */
    defaults(): ChatConfig;
    /** URIs of the workspace folders. */
    folders(): readonly string[];
  };

type Created = Extract<EventDraft, { readonly type: 'chat-created' }>;

/** How often a chat that another window is answering in is read again. */
const OTHER_WINDOW_INTERVAL_MS = 5_000;

/** What the list of chats needs to hear. */
export interface ChatsListener {
  /** A chat came, went or changed; null when it may be any. */
  changed(chatId: string | null): void;
}

/** All chats of the workspace: those that are open, each with its session, and those on disk. */
export class Chats {
  readonly #store: ChatStore;
  readonly #ports: ChatsPorts;
  readonly #open = new Map<string, Promise<ChatSession>>();
  /** Sessions of chats that were deleted here: undoing that goes on with them, since a chat has one session only. */
  readonly #deleted = new Map<string, Promise<ChatSession>>();
  readonly #summaries = new Map<string, ChatListItem>();
  readonly #listeners = new Set<ChatsListener>();
  readonly #closing = new AbortController();

  constructor(store: ChatStore, ports: ChatsPorts) {
    this.#store = store;
    this.#ports = ports;
  }

  onChange(listener: ChatsListener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Reads what other windows may have changed; rejects with `storage` when the chats cannot be read at all. */
  async refresh(): Promise<void> {
    const found = new Map<string, ChatListItem>();
    for (const id of await this.#store.listChatIds()) {
      if (!this.#open.has(id)) {
        found.set(id, await this.#summaryFromDisk(id));
      }
    }
    // Reading takes time: what was deleted or opened meanwhile is not as it was read.
    const known = new Set(await this.#store.listChatIds());
    for (const id of this.#summaries.keys()) {
      if (!known.has(id) && !this.#open.has(id)) {
        this.#summaries.delete(id);
      }
    }
    for (const [id, summary] of found) {
      if (known.has(id) && !this.#open.has(id)) {
        this.#summaries.set(id, summary);
      }
    }
    this.#tell(null);
  }

  /** The chats as of the last refresh and of everything that happened in this window since, latest first. */
  list(): ChatListItem[] {
    return [...this.#summaries.values()].toSorted(byLatest);
  }

  async create(): Promise<ChatSession> {
    return this.#create({ config: this.#ports.defaults(), parent: null }, []);
  }

  /** Whether a chat still is what `create` would make now. */
  isAsNew({ readOnly, state: { timeline, context, title, config } }: ChatSession): boolean {
    const isUntouched = readOnly === null && title === null && timeline.length === 0 && context.size === 0;
    return isUntouched && isDeepStrictEqual(config, this.#ports.defaults());
  }

  /** A new chat with the conversation up to and including a message, the context and the settings. */
  async fork(session: ChatSession, messageId: string): Promise<ChatSession> {
    const { state } = session;
    const sent = transcript(state).messages;
    const at = sent.findIndex((message) => message.id === messageId || ('attemptId' in message && message.attemptId === messageId));
    if (at === -1) {
      throw new LoupeError('invalidInput', 'That message is not part of the conversation, so nothing can be forked there.');
    }
    // The results of its tool calls belong to it.
    const after = sent.findIndex((message, index) => index > at && message.role !== 'tool-results');
    const parent = { chatId: state.chatId, messageId };
    const copies = [...state.context.values()].map((item) => ({ type: 'context-added', item }) as const);
    const messages = sent.slice(0, after === -1 ? sent.length : after).map((message) => ({ type: 'message', runId: null, message }) as const);
    const title = { type: 'title', title: `${chatTitle(state)} (fork)`, by: 'user' } as const;
    return this.#create({ config: state.config, parent }, [...copies, ...messages, title]);
  }

  /** Opens a chat, or gives the session it has. Rejects with `storage` when it cannot be read. */
  async open(chatId: string): Promise<ChatSession> {
    const known = this.#open.get(chatId);
    if (known !== undefined) {
      return known;
    }
    const opening = this.#load(chatId);
    this.#open.set(chatId, opening);
    try {
      return await opening;
    } catch (thrown) {
      this.#open.delete(chatId);
      throw thrown;
    }
  }

  /** The state of a chat, without opening it: for its figures alone. Rejects with `storage` when it cannot be read. */
  async peek(chatId: string): Promise<ChatState> {
    const open = this.#open.get(chatId);
    if (open !== undefined) {
      return (await open).state;
    }
    return new LiveLog((await this.#store.readChat(chatId)).events).state;
  }

  /** Deletes a chat; its run, if any, is stopped first. `undelete` brings it back until this window closes. */
  async delete(chatId: string): Promise<void> {
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
    this.#summaries.delete(chatId);
    this.#tell(chatId);
  }

  async undelete(chatId: string): Promise<void> {
    await this.#store.undeleteChat(chatId);
    const session = this.#deleted.get(chatId);
    if (session === undefined) {
      this.#summaries.set(chatId, await this.#summaryFromDisk(chatId));
    } else {
      this.#deleted.delete(chatId);
      (await session).reopen();
      this.#open.set(chatId, session);
      this.#summaries.set(chatId, summarize((await session).state));
    }
    this.#tell(chatId);
  }

  /** Ends all runs as interrupted and brings everything to the disk; what was deleted goes for good. */
  async close(): Promise<void> {
    this.#closing.abort();
    const closings = [...this.#open.values()].map(async (opening) => {
      await (await opening).shutDown();
    });
    for (const closed of await Promise.allSettled(closings)) {
      if (closed.status === 'rejected') {
        this.#ports.logError(toLoupeError(closed.reason));
      }
    }
    await this.#store.close();
  }

  async #create(origin: Pick<Created, 'config' | 'parent'>, more: readonly EventDraft[]): Promise<ChatSession> {
    const chatId = newChatId(this.#ports.clock, this.#ports.random);
    const created: Created = { type: 'chat-created', chatId, folders: this.#ports.folders(), ...origin };
    const { events, written } = this.#store.journal(chatId).append([created, ...more], 'durable');
    const session = this.#session(chatId, { events, readOnly: null, faults: [] });
    this.#open.set(chatId, Promise.resolve(session));
    this.#summaries.set(chatId, summarize(session.state));
    try {
      await written;
    } catch (thrown) {
      // The chat works from memory; the journal's state tells the panel, which shows it.
      this.#ports.logError(toLoupeError(thrown));
    }
    this.#tell(chatId);
    return session;
  }

  async #load(chatId: string): Promise<ChatSession> {
    if (!(await this.#store.listChatIds()).includes(chatId)) {
      throw new LoupeError('invalidInput', 'That chat is not there any more.');
    }
    const read = await this.#store.readChat(chatId);
    const faults = read.faults.map((fault) => `${fault.segment}${fault.line === null ? '' : ` line ${String(fault.line)}`}: ${fault.reason}`);
    const session = this.#session(chatId, { events: read.events, readOnly: read.readOnly, faults });
    for (const fault of faults) {
      this.#ports.logError(new LoupeError('storage', `A line of chat ${chatId} was skipped: ${fault}`));
    }
    await this.#settleOpenRuns(session, read);
    this.#summaries.set(chatId, summarize(session.state));
    return session;
  }

  /**
   * Closes the runs of dead windows. While another living window answers in this chat, looks again from time to
   * time, so that its outcome shows here too.
   */
  async #settleOpenRuns(session: ChatSession, { openRuns }: ChatContent): Promise<void> {
    const foreign = openRuns.filter((open) => open.writer !== this.#ports.writerId);
    await session.closeInterrupted(foreign.filter(({ state }) => state === 'dead').map(({ runId }) => runId));
    if (foreign.some(({ state }) => state === 'alive')) {
      void this.#lookAgain(session);
    }
  }

  async #lookAgain(session: ChatSession): Promise<void> {
    await this.#ports.clock.sleep(OTHER_WINDOW_INTERVAL_MS, this.#closing.signal);
    if (this.#closing.signal.aborted || !this.#open.has(session.id)) {
      return;
    }
    try {
      const read = await this.#readUndisturbed(session);
      session.reload(read);
      await this.#settleOpenRuns(session, read);
    } catch (thrown) {
      this.#ports.logError(toLoupeError(thrown));
      void this.#lookAgain(session);
    }
  }

  /** The log of an open chat, read while this window wrote nothing to it: all that is on show is in it. */
  async #readUndisturbed(session: ChatSession): Promise<ChatContent> {
    for (;;) {
      const { revision } = session;
      const read = await this.#store.readChat(session.id);
      if (session.revision === revision) {
        return read;
      }
    }
  }

  #session(chatId: string, log: Pick<SessionParts, 'events' | 'readOnly' | 'faults'>): ChatSession {
    const requests = new Requests(this.#ports, this.#store.blobs(chatId));
    const session = new ChatSession({ ...log, journal: this.#store.journal(chatId), requests }, this.#ports);
    session.onChange((change) => {
      if (change === 'state' && this.#open.has(chatId)) {
        this.#summaries.set(chatId, summarize(session.state));
        this.#tell(chatId);
      }
    });
    return session;
  }

  async #summaryFromDisk(chatId: string): Promise<ChatListItem> {
    try {
      const { events } = await this.#store.readChat(chatId);
      const fold = foldLog(events);
      return fold === null ? damaged(chatId, 'The line that created this chat is missing.') : summarize(fold.state);
    } catch (thrown) {
      const error = toLoupeError(thrown);
      this.#ports.logError(error);
      return damaged(chatId, error.message);
    }
  }

  #tell(chatId: string | null): void {
    for (const listener of this.#listeners) {
      listener.changed(chatId);
    }
  }
}

/** Latest first; ids break ties, so that the order is the same everywhere. */
function byLatest(a: ChatListItem, b: ChatListItem): number {
  return a.updatedAt === b.updatedAt ? b.id.localeCompare(a.id) : b.updatedAt - a.updatedAt;
}

/** A chat that cannot be read is listed all the same, with the reason: it must not look as if it were gone. */
function damaged(chatId: string, reason: string): ChatListItem {
  return { id: chatId, title: 'Chat that cannot be read', preview: reason, messageCount: 0, updatedAt: 0, running: false };
}
