import type { ChatConfig } from '../../engine/chat/config.js';
import type { AttemptState } from '../../engine/chat/slices/attempts.js';
import type { EventDraft } from '../../engine/chat/slices/table.js';
import type { ChatState, WholeChat } from '../../engine/chat/state.js';
import { findMessage, stateBefore } from '../../engine/chat/branch.js';
import { newId } from '../../engine/chat/ids.js';
import type { StoredText } from '../../engine/chat/storedText.js';
import type { ContextItemBase, SessionContextItem } from '../../engine/context/item.js';
import { failure } from '../../engine/errors.js';
import { textMessage } from '../../engine/chat/message.js';
import type { Journal, JournalState } from '../../storage/journal.js';
import type { BackgroundCount } from './backgroundCount.js';
import { attemptBehind, canRebuild, type Composed, type Rebuilt, type Requests } from './requests.js';
import type { ChatFault } from './faultTexts.js';
import { SessionLog, type SessionChange, type SessionLogParts, type SessionLogPorts } from './sessionLog.js';
import type { Draft } from '../view/drafts.js';
import { Follower, type FollowerPorts, type Reading } from './follower.js';
import { NextRequest, type StateView } from './nextRequest.js';
import { Conversation, type ConversationParts } from './conversation.js';
import type { RunPorts } from './runDriver.js';

export type SessionPorts = SessionLogPorts & RunPorts;

export interface SessionParts extends SessionLogParts {
  readonly store: FollowerPorts['store'];
  readonly claim: ConversationParts['claim'];
  readonly requests: Requests;
  readonly counting: BackgroundCount;
}

/** What would be sent: an empty `text` for no message, `editing` null for a new one. */
export type DraftToPreview = Pick<Draft, 'text' | 'editing'>;

/**
 * One open chat: its state and the operations on it. Chats share nothing; each is driven by its own session. Operations
 * that change something throw `invalidInput` when the chat is read-only. Those that need more of a chat than its end read
 * it whole, and reject as `whole` does.
 */
export class ChatSession {
  readonly conversation: Conversation;
  readonly #log: SessionLog;
  readonly #follower: Follower;
  readonly #journal: Journal;
  readonly #counting: BackgroundCount;
  readonly #requests: Requests;
  readonly #next: NextRequest;

  constructor({ store, claim, requests, counting, ...parts }: SessionParts, ports: SessionPorts) {
    this.#log = new SessionLog(parts, ports);
    this.#follower = new Follower(this.#log, {
      store,
      newId: () => newId(ports.clock, ports.random),
      wanted: () => this.#next.neededMessages,
      logError: ports.logError.bind(ports),
    });
    this.#next = new NextRequest(this, requests);
    // What the run has produced is in the state already: each step is folded before the next is asked for.
    const prepare = async (attemptId: string): ReturnType<Requests['prepare']> =>
      requests.prepare(await this.#next.compose(asItIs, []), this.state, attemptId);
    const runRequests = { prepare, keepBlob: requests.keepBlob.bind(requests) };
    const shared = { log: this.#log, follower: this.#follower, counting };
    this.conversation = new Conversation({ ...shared, claim, requests: runRequests }, ports);
    this.#journal = parts.journal;
    this.#requests = requests;
    this.#counting = counting;
    this.#counting.onCounted(() => {
      this.#log.changed('state');
    });
  }

  get state(): ChatState {
    return this.#log.state;
  }

  get id(): string {
    return this.state.chatId;
  }

  get readOnly(): string | null {
    return this.#log.readOnly;
  }

  /** What is damaged in the log: it was skipped. */
  get faults(): readonly ChatFault[] {
    return this.#log.faults;
  }

  /** Whether another window is answering in the chat, as far as it was read, or a message waits until none is. */
  get waitsForOthers(): boolean {
    return this.#log.foreignRuns.length > 0 || this.conversation.isWaiting;
  }

  /** Whether everything is on the disk, and if not, why. */
  get storage(): JournalState {
    return this.#journal.state;
  }

  /** The reading of the whole chat that somebody waits for; null for none. */
  get reading(): Reading | null {
    return this.#follower.reading;
  }

  /** See `NextRequest`. */
  get neededMessages(): number {
    return this.#next.neededMessages;
  }

  /** Tries again to save what waits in memory; rejects with `storage` when that fails. */
  async retryStorage(): Promise<void> {
    await this.#journal.retry();
  }

  /** Calls `listener` after each change of the state; returns what ends that. */
  onChange(listener: (change: SessionChange) => void): () => void {
    return this.#log.onChange(listener);
  }

  /** All of the chat. Rejects with `storage` when it cannot be read, and with `cancelled`. */
  whole(): Promise<WholeChat> {
    return this.#follower.whole();
  }

  /** Takes in what other windows have written, and sends what has waited for them; a failure is logged. */
  async look(): Promise<void> {
    await this.#follower.look();
    this.conversation.sendNext();
  }

  /** Logs what belongs to no run, and waits for the disk. */
  record(drafts: readonly EventDraft[]): Promise<void> {
    return this.#log.record(drafts, 'durable');
  }

  /** Keeps a text that is given with an item of the context, for `addContext`. */
  keepGiven(text: string): Promise<StoredText> {
    return this.#requests.keepGiven(text);
  }

  async addContext(item: SessionContextItem): Promise<void> {
    this.#log.checkWritable();
    await this.record([{ type: 'context-added', item }]);
  }

  async removeContext(item: ContextItemBase): Promise<void> {
    this.#log.checkWritable();
    await this.record([{ type: 'context-removed', item, leaves: 'now' }]);
  }

  async changeConfig(change: Partial<ChatConfig>): Promise<void> {
    this.#log.checkWritable();
    await this.record([{ type: 'config-changed', change }]);
  }

  async rename(title: string): Promise<void> {
    this.#log.checkWritable();
    if (title.trim() === '') {
      throw failure('chat.emptyTitle');
    }
    await this.record([{ type: 'title', title: title.trim(), by: 'user' }]);
  }

  /** Sets a fragment of the system prompt for this activation; null removes it. */
  setFragment(id: string, text: string | null): void {
    this.#next.setFragment(id, text);
    this.#log.changed('state');
  }

  /** The next request with `text` as its message, in place of message `editing` and of what follows it. */
  async preview({ text, editing }: DraftToPreview): Promise<Composed> {
    if (editing !== null) {
      await this.conversation.reachMessage(editing);
    }
    const view: StateView = editing === null ? asItIs : (state) => stateBefore(state, editing);
    const more = text.trim() === '' ? [] : [textMessage('draft', text)];
    const composed = await this.#next.preview(view, more);
    // While a reply is on its way the next request is not known, and it brings the provider's figures itself.
    this.#counting.want(this.conversation.isRunning || this.#log.isDeleted || composed.isPartial ? null : composed.countable);
    return composed;
  }

  /** The request behind a reply, by the id of its message or of its attempt. */
  async request(id: string): Promise<{ readonly attempt: AttemptState; readonly rebuilt: Rebuilt }> {
    const state = canRebuild(this.state, id) ? this.state : await this.whole();
    const attempt = attemptBehind(state, id);
    if (attempt === undefined) {
      throw failure('chat.noRequestRecord');
    }
    return { attempt, rebuilt: await this.#requests.rebuild(state, attempt) };
  }

  /** All that a tool answered, also what is too large to be shown. */
  async resultText(messageId: string, callId: string): Promise<string> {
    const state = findMessage(this.state, messageId) === null ? await this.whole() : this.state;
    return this.#requests.resultText(state, messageId, callId);
  }

  /** Saved content of the chat by its SHA-256, such as an image. Rejects with `storage` when it is missing or damaged. */
  blob(sha: string): Promise<Uint8Array> {
    return this.#requests.blob(sha);
  }

  /** Stops the run and takes nothing more, because the chat is being deleted; `reopen` takes that back. */
  async closeForDeletion(): Promise<void> {
    this.#log.isDeleted = true;
    this.#counting.cancel();
    await this.conversation.stop();
  }

  reopen(): void {
    this.#log.isDeleted = false;
  }

  /** Ends the run as interrupted, because the window closes. */
  async shutDown(): Promise<void> {
    this.#counting.close();
    await this.conversation.shutDown();
  }
}

function asItIs(state: ChatState): ChatState {
  return state;
}
