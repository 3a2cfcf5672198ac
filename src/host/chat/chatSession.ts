import type { ChatConfig } from '../../engine/chat/settings/config.js';
import type { NewEvent } from '../../engine/chat/slices/table.js';
import type { ChatState, WholeChat } from '../../engine/chat/state.js';
import { BackgroundCount } from '../../engine/next/backgroundCount.js';
import { SHUT_DOWN, STOP } from '../../engine/run/input.js';
import type { Blobs } from '../../storage/blobs.js';
import type { OpenedChat } from '../../storage/reading/chatLog.js';
import { RequestComposer, type RequestComposerPorts } from '../request/compose/requestComposer.js';
import type { Behaviour } from './behaviours/behaviour.js';
import { type BehaviourChat, type Behaviours, behavioursOf } from './behaviours/table.js';
import { ChatContext } from './chatContext.js';
import { ChatNext, type ChatNextPorts } from './chatNext.js';
import { ChatRecords, type ChatRecordsPorts } from './chatRecords.js';
import { MessageMarks } from './messageMarks.js';
import { Conversation, type ConversationPorts } from './runs/conversation.js';
import { runRequests, type RunGateChat } from './runs/runGate.js';
import { ServerHold } from './runs/serverHold.js';
import { ToolAnswers } from './runs/toolAnswers.js';
import { Saving } from './saving.js';
import { type ChatFault, type SessionChange, SessionLog, type SessionLogPorts } from './sessionLog.js';
import { SummaryRequests } from './summary/summaryRequests.js';
import { ChatFragments } from './sessionFiles/chatFragments.js';
import { StoredSessionFiles } from './sessionFiles/storedSessionFiles.js';
import { type FollowerPorts, LogFollower, type ReadProgress } from './windows/logFollower.js';

/** The parts that a chat creates, by the names of the parameters that take them. */
type OwnParts =
  | 'behaviours'
  | 'composer'
  | 'counting'
  | 'follower'
  | 'fragments'
  | 'isRunning'
  | 'log'
  | 'neededMessages'
  | 'next'
  | 'requests'
  | 'servers'
  | 'sessionFiles'
  | 'wanted'
  | 'whole';

/** What a chat gets from its window, and its own files. */
export type SessionPorts = Omit<
  SessionLogPorts &
    FollowerPorts &
    BehaviourChat &
    RequestComposerPorts &
    ChatNextPorts &
    ConversationPorts &
    RunGateChat &
    ChatRecordsPorts,
  OwnParts
> & { readonly blobs: Blobs };

/**
 * One open chat: its state and its parts. An operation that changes the chat throws `invalidInput` when the chat is
 * read-only. An operation that needs messages that are not loaded reads the whole chat first, and rejects as `whole`
 * does.
 */
export class ChatSession {
  readonly conversation: Conversation;
  readonly compactor: Behaviours['compactor'];
  readonly titler: Behaviours['titler'];
  readonly spending: Behaviours['spending'];
  readonly idle: Behaviours['idle'];
  readonly servers: ServerHold;
  readonly answers: ToolAnswers;
  readonly marks: MessageMarks;
  readonly context: ChatContext;
  readonly records: ChatRecords;
  readonly saving: Saving;
  readonly next: ChatNext;
  readonly files: StoredSessionFiles;
  readonly fragments: ChatFragments;
  readonly #log: SessionLog;
  readonly #follower: LogFollower;
  readonly #behaviours: readonly Behaviour[];

  constructor(opened: OpenedChat, ports: SessionPorts) {
    const log = new SessionLog(opened, ports);
    const neededMessages = (): number => this.next.neededMessages;
    const follower = new LogFollower(log, { ...ports, wanted: neededMessages });
    const counting = new BackgroundCount(ports);
    const composer = new RequestComposer({ ...ports, counting });
    const sessionFiles = new StoredSessionFiles({ ...ports, log });
    const fragments = new ChatFragments({ log, files: sessionFiles });
    const parts = { ...ports, log, follower, counting, composer, sessionFiles, fragments };
    const next = new ChatNext(this, parts);
    const behaviours = behavioursOf({
      ...parts,
      next,
      requests: new SummaryRequests(composer, next),
      isRunning: () => this.conversation.isRunning,
      neededMessages,
    });
    const servers = new ServerHold({ asks: ports.toolbox, log });
    this.#log = log;
    this.#follower = follower;
    this.#behaviours = [sessionFiles, fragments, ...Object.values<Behaviour>(behaviours)];
    ({ compactor: this.compactor, titler: this.titler, spending: this.spending, idle: this.idle } = behaviours);
    this.servers = servers;
    this.next = next;
    this.files = sessionFiles;
    this.fragments = fragments;
    this.conversation = new Conversation({
      ...parts,
      requests: runRequests({ ...parts, next, servers, behaviours }),
      behaviours,
    });
    this.answers = new ToolAnswers({ ...parts, continueRun: this.conversation.continueRun.bind(this.conversation) });
    this.marks = new MessageMarks(parts);
    this.context = new ChatContext({ ...parts, next });
    this.records = new ChatRecords({ ...parts, whole: this.whole.bind(this) });
    this.saving = new Saving(parts);
    counting.onCounted(log.changed.bind(log, 'state'));
    log.start(this.#behaviours);
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

  /** The damaged lines of the log, which were skipped. */
  get faults(): readonly ChatFault[] {
    return this.#log.faults;
  }

  /** Whether another window is answering, as far as this window has read, or this window has queued a message. */
  get waitsForOthers(): boolean {
    return this.#log.foreignRuns.length > 0 || this.conversation.isWaiting;
  }

  /** How far the whole chat has been read, or null when no caller waits for the whole chat. */
  get reading(): ReadProgress | null {
    return this.#follower.reading;
  }

  /** Calls `listener` after each change of the state. Returns a function that removes the listener. */
  onChange(listener: (change: SessionChange) => void): () => void {
    return this.#log.onChange(listener);
  }

  /** Reads the whole chat. Rejects with `storage` when it cannot be read, or with `cancelled`. */
  whole(): Promise<WholeChat> {
    return this.#follower.whole();
  }

  /** Reads what other VS Code windows have written, then sends queued messages if no run is active. Logs failures. */
  async poll(): Promise<void> {
    await this.#follower.poll();
    this.conversation.sendNext();
  }

  /** Logs events that belong to no run. Resolves when the events are on disk. */
  record(drafts: readonly NewEvent[]): Promise<void> {
    return this.#log.record(drafts, 'durable');
  }

  async changeConfig(change: Partial<ChatConfig>): Promise<void> {
    this.#log.checkWritable();
    // Otherwise the results that earlier requests had in full would stay so, and the setting would seem to do nothing.
    const isRebuilt = change.repeatedContent === 'references' && this.state.config.repeatedContent === 'full';
    await this.record([{ type: 'config-changed', change }, ...(isRebuilt ? [{ type: 'relayout-asked' } as const] : [])]);
  }

  /** Limits the total cost of the chat, in US dollars; null for no limit of its own. */
  async setSpendCap(usd: number | null): Promise<void> {
    this.#log.checkWritable();
    await this.record([{ type: 'spend-cap', usd }]);
  }

  /** Stops the run and refuses new events, because a VS Code window deletes the chat. `reopen` undoes this. */
  async closeForDeletion(by: 'thisWindow' | 'anotherWindow'): Promise<void> {
    this.#log.deletedBy = by;
    await Promise.all([...this.#stopped(STOP), this.conversation.giveUp()]);
  }

  reopen(): void {
    this.#log.deletedBy = null;
  }

  async shutDown(): Promise<void> {
    await Promise.all([...this.#stopped(SHUT_DOWN), this.conversation.shutDown()]);
  }

  #stopped(reason: string): Promise<void>[] {
    return this.#behaviours.flatMap((behaviour) => behaviour.stop?.(reason) ?? []);
  }
}
