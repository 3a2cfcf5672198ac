import { assertNever } from '../assertNever.js';
import type { Usage } from '../accounting/usage.js';
import { itemKey, type SessionContextItem } from '../context/item.js';
import { LoupeError, type ErrorRecord } from '../errors.js';
import type { Json } from '../json.js';
import type { Manifest } from '../request/manifest.js';
import type { StopReason } from '../run/model.js';
import type { ChatConfig, ModelRef } from './config.js';
import type { AttemptOutcome, AttemptPurpose, ChatEvent, ChatOrigin, EventDraft, RetryPlan, RunCause } from './event.js';
import type { Message, RewindReason } from './message.js';
import { applyPiece, type Reply } from './reply.js';
import type { Earlier, FoldSnapshot } from './snapshot.js';

export type RunStatus = 'running' | 'committed' | 'stopped' | 'failed' | 'rolledBack' | 'interrupted';

export interface RunState {
  readonly id: string;
  readonly userMessageId: string;
  readonly cause: RunCause;
  readonly status: RunStatus;
  readonly error: ErrorRecord | null;
  /** The window that runs it, for telling whether it is still alive. */
  readonly writer: string;
  readonly attemptIds: readonly string[];
  /** A tool has started: side effects may have happened, so a failure keeps what is complete. */
  readonly toolsRan: boolean;
}

export interface AttemptState {
  readonly id: string;
  readonly runId: string;
  readonly purpose: AttemptPurpose;
  readonly model: ModelRef;
  readonly protocol: string;
  readonly manifest: Manifest;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** What has streamed in so far; kept when the attempt fails. */
  readonly reply: Reply;
  /** Null while it runs. */
  readonly end: AttemptEnd | null;
}

export interface AttemptEnd {
  readonly outcome: AttemptOutcome;
  readonly at: number;
  readonly usage: Usage | null;
  readonly rawUsage: Json;
  readonly cost: number | null;
  readonly responseId: string | null;
  readonly stopReason: StopReason | null;
  readonly error: ErrorRecord | null;
  readonly retry: RetryPlan | null;
}

/** The conversation as it stands, in order: messages, and where each run began. */
export type TimelineItem =
  | { readonly kind: 'message'; readonly message: Message; readonly runId: string | null; readonly at: number }
  | { readonly kind: 'run'; readonly runId: string };

/** The state of a chat. Containers change in place while the fold runs on; entries are replaced, never changed. */
export interface ChatState {
  readonly chatId: string;
  readonly createdAt: number;
  /** Epoch milliseconds of the latest event, streaming text apart. */
  readonly updatedAt: number;
  readonly folders: readonly string[];
  readonly parent: { readonly chatId: string; readonly messageId: string } | null;
  /** The chat it was copied from, when that was one of another workspace. */
  readonly importedFrom: ChatOrigin | null;
  readonly config: ChatConfig;
  readonly title: string | null;
  /** By item key, in the order they were added. */
  readonly context: ReadonlyMap<string, SessionContextItem>;
  readonly timeline: readonly TimelineItem[];
  readonly runs: ReadonlyMap<string, RunState>;
  /** Every attempt ever made, discarded branches included: the ledger is a fold over these. */
  readonly attempts: ReadonlyMap<string, AttemptState>;
  /** The branches that rewinds left, by rewind id. */
  readonly rewinds: ReadonlyMap<string, readonly TimelineItem[]>;
  /** Events that made no sense where they stood (their partner was on a damaged line), in plain words. */
  readonly problems: readonly string[];
  /** Attempts whose beginning was on a damaged line: nobody will find what they were sent. */
  readonly lostAttempts: readonly string[];
  /** What stands before the messages, runs, attempts and branches that are here; null when nothing does. */
  readonly earlier: Earlier | null;
}

type Mutable = {
  -readonly [K in keyof ChatState]: ChatState[K] extends ReadonlyMap<infer A, infer B>
    ? Map<A, B>
    : ChatState[K] extends readonly TimelineItem[]
      ? TimelineItem[]
      : K extends 'problems' | 'lostAttempts'
        ? string[]
        : ChatState[K];
};

type Of<T extends EventDraft['type']> = Extract<EventDraft, { readonly type: T }>;

/** What the fold needs to know of a stamp; drafts that are only shown have one made up by the caller. */
export type FoldStamp = Pick<ChatEvent, 'at' | 'writer'>;

/**
 * Folds events in log order into the state of a chat. Live and loaded chats go through this same code, which is
 * what makes them show the same.
 */
export class ChatFold {
  readonly #state: Mutable;
  #reachedBack = false;

  /** The state of a chat that was just created. */
  static created({ chatId, at, folders, parent, config }: Of<'chat-created'> & FoldStamp): ChatFold {
    const origin = { chatId, createdAt: at, updatedAt: at, folders, parent, importedFrom: null, config };
    const carried = { timeline: [], runs: [], attempts: [] };
    return new ChatFold({ ...origin, title: null, context: [], problems: [], lostAttempts: [], earlier: null, carried });
  }

  /** Goes on from a snapshot. */
  static after(snapshot: FoldSnapshot): ChatFold {
    return new ChatFold(snapshot);
  }

  private constructor({
    context,
    problems,
    lostAttempts,
    carried,
    ...start
  }: Omit<FoldSnapshot, 'earlier'> & { readonly earlier: Earlier | null }) {
    this.#state = {
      ...start,
      context: new Map(context.map((item) => [itemKey(item), item])),
      timeline: [...carried.timeline],
      runs: new Map(carried.runs.map((run) => [run.id, run])),
      attempts: new Map(
        carried.attempts.map((attempt) => [attempt.id, { ...attempt, reply: attempt.reply.map((part) => part ?? undefined) }]),
      ),
      rewinds: new Map(),
      problems: [...problems],
      lostAttempts: [...lostAttempts],
    };
  }

  get state(): ChatState {
    return this.#state;
  }

  /**
   * Whether an event was about something before the snapshot that the fold began at: then the state is not what the
   * whole log gives, and a fold has to begin further back.
   */
  get reachedBack(): boolean {
    return this.#reachedBack;
  }

  /**
   * Puts what comes directly before in front: the state, at this fold's snapshot, of a fold that began further back, so
   * far that what the snapshot carries is in it.
   */
  prepend(older: ChatState): void {
    const { timeline, runs, attempts, rewinds, earlier } = this.#state;
    // What the snapshot carried is on all branches here, as far as they did not leave it.
    const before = older.timeline.slice(0, older.timeline.length - (earlier?.carried ?? 0));
    const branches = [...rewinds].map(([id, branch]) => [id, [...before, ...branch]] as const);
    this.#state.timeline = [...before, ...timeline];
    this.#state.runs = new Map([...older.runs, ...runs]);
    this.#state.attempts = new Map([...older.attempts, ...attempts]);
    this.#state.rewinds = new Map([...older.rewinds, ...branches]);
    this.#state.earlier = older.earlier;
  }

  apply(event: EventDraft & FoldStamp): void {
    // Shown pieces carry a time of their own, which the chat would not have when it is loaded.
    if (event.type !== 'attempt-progress') {
      this.#state.updatedAt = Math.max(this.#state.updatedAt, event.at);
    }
    switch (event.type) {
      case 'chat-created':
        return;
      case 'imported':
        this.#state.chatId = event.chatId;
        this.#state.folders = event.folders;
        this.#state.importedFrom = event.from;
        return;
      case 'folders-changed':
        this.#state.folders = event.folders;
        return;
      case 'config-changed':
        this.#state.config = { ...this.#state.config, ...event.change };
        return;
      case 'title':
        this.#state.title = event.title;
        return;
      case 'message':
        this.#state.timeline.push({ kind: 'message', message: event.message, runId: event.runId, at: event.at });
        return;
      case 'context-added':
        this.#state.context.set(itemKey(event.item), event.item);
        return;
      case 'context-removed':
        this.#state.context.delete(itemKey(event.item));
        return;
      case 'rewound':
        this.#rewind(event);
        return;
      case 'restored':
        this.#restore(event);
        return;
      default:
        this.#applyToRun(event);
    }
  }

  #applyToRun(event: Exclude<RunEvent, Of<'message'>> & FoldStamp): void {
    switch (event.type) {
      case 'run-started':
        this.#startRun(event);
        return;
      case 'attempt-started':
        this.#startAttempt(event);
        return;
      case 'attempt-progress':
        this.#progress(event);
        return;
      case 'attempt-ended':
        this.#endAttempt(event);
        return;
      case 'tool-started':
        this.#changeRun(event.runId, (run) => ({ ...run, toolsRan: true }));
        return;
      case 'tool-ended':
        return;
      case 'run-committed':
        this.#endRun(event, 'committed', null);
        return;
      case 'run-stopped':
        this.#endRun(event, 'stopped', null);
        return;
      case 'run-failed':
        this.#endRun(event, 'failed', event.error);
        return;
      case 'run-rolled-back':
        this.#endRun(event, 'rolledBack', event.error);
        return;
      case 'run-interrupted':
        this.#interrupt(event);
        return;
      default:
        assertNever(event);
    }
  }

  #startRun(event: Of<'run-started'> & FoldStamp): void {
    const { runId, userMessageId, cause } = event;
    const empty = { status: 'running', error: null, attemptIds: [], toolsRan: false } as const;
    this.#state.runs.set(runId, { id: runId, userMessageId, cause, writer: event.writer, ...empty });
    this.#state.timeline.push({ kind: 'run', runId });
  }

  #startAttempt(event: Of<'attempt-started'> & FoldStamp): void {
    const { attemptId: id, runId, purpose, model, protocol, manifest } = event;
    const request = { purpose, model, protocol, manifest };
    const attempt = { id, runId, ...request, startedAt: event.at, reply: [], end: null };
    this.#state.attempts.set(id, attempt);
    this.#changeRun(runId, (run) => ({ ...run, attemptIds: [...run.attemptIds, id] }));
  }

  #progress(event: Of<'attempt-progress'>): void {
    const attempt = this.#state.attempts.get(event.attemptId);
    if (attempt === undefined) {
      this.#lose(event.attemptId, 'Text');
      return;
    }
    const reply = event.pieces.reduce(applyPiece, attempt.reply);
    if (reply !== attempt.reply) {
      this.#state.attempts.set(attempt.id, { ...attempt, reply });
    }
  }

  #endAttempt(event: Of<'attempt-ended'> & FoldStamp): void {
    const attempt = this.#state.attempts.get(event.attemptId);
    if (attempt === undefined) {
      this.#lose(event.attemptId, 'The end');
      return;
    }
    const { outcome, at, usage, rawUsage, cost, responseId, stopReason, error, retry } = event;
    const end = { outcome, at, usage, rawUsage, cost, responseId, stopReason, error, retry };
    this.#state.attempts.set(attempt.id, { ...attempt, end });
  }

  /** Also closes what is left in the log of a run whose start was on a damaged line, of which there is nothing else to say. */
  #interrupt(event: Of<'run-interrupted'> & FoldStamp): void {
    const { runs, earlier } = this.#state;
    if (runs.has(event.runId) || earlier !== null) {
      this.#endRun(event, 'interrupted', null);
    }
  }

  /** A run ends once: two windows that both find it interrupted, or a late writer, change nothing more. */
  #endRun(event: { runId: string } & FoldStamp, status: RunStatus, error: ErrorRecord | null): void {
    this.#changeRun(event.runId, (run) => (run.status === 'running' ? { ...run, status, error } : run));
  }

  #changeRun(runId: string, change: (run: RunState) => RunState): void {
    const run = this.#state.runs.get(runId);
    if (run === undefined) {
      this.#problem(`An event of the unknown run ${runId}`);
      return;
    }
    this.#state.runs.set(runId, change(run));
  }

  #rewind(event: Of<'rewound'>): void {
    const { timeline, earlier } = this.#state;
    if (event.to === null && earlier !== null && earlier.items > 0) {
      this.#reachedBack = true;
      return;
    }
    const at = event.to === null ? -1 : timeline.findLastIndex((item) => isMessage(item, event.to));
    if (event.to !== null && at === -1) {
      // Set aside by another window at the same moment: then there is nothing left to go back to, and nothing is wrong.
      if (!this.#isSetAside(event.to)) {
        this.#problem(`A rewind to the unknown message ${event.to}`);
      }
      return;
    }
    this.#state.rewinds.set(event.rewindId, timeline);
    this.#state.timeline = timeline.slice(0, branchEnd(timeline, at, event.reason));
  }

  #isSetAside(messageId: string): boolean {
    return [...this.#state.rewinds.values()].some((branch) => branch.some((item) => isMessage(item, messageId)));
  }

  #restore(event: Of<'restored'>): void {
    const branch = this.#state.rewinds.get(event.rewindId);
    if (branch === undefined) {
      this.#problem(`A return to the unknown branch ${event.rewindId}`);
      return;
    }
    this.#state.rewinds.set(event.undoId, this.#state.timeline);
    this.#state.timeline = [...branch];
  }

  #lose(attemptId: string, what: string): void {
    this.#problem(`${what} of the unknown attempt ${attemptId}`);
    if (!this.#state.lostAttempts.includes(attemptId)) {
      this.#state.lostAttempts.push(attemptId);
    }
  }

  /** What an event is about is not there: it stands before the snapshot, or it was on a damaged line. */
  #problem(text: string): void {
    if (this.#state.earlier === null) {
      this.#state.problems.push(text);
    } else {
      this.#reachedBack = true;
    }
  }
}

type RunEvent = Extract<EventDraft, { readonly runId: string | null }>;

function isMessage(item: TimelineItem, id: string | null): boolean {
  return item.kind === 'message' && item.message.id === id;
}

/**
 * Where a rewind to the message at `at` cuts. The runs that begin behind it without a message of their own (stopped
 * or failed before the first word) belong to it, except when a retry sets them aside.
 */
function branchEnd(timeline: readonly TimelineItem[], at: number, reason: RewindReason): number {
  if (at === -1 || reason === 'retried') {
    return at + 1;
  }
  const next = timeline.findIndex((item, index) => index > at && item.kind === 'message');
  return next === -1 ? timeline.length : next;
}

/** Folds a whole log, in order. Throws `storage` when its creating event is missing: then nothing about it is known. */
export function foldLog(events: readonly ChatEvent[]): ChatFold {
  const created = events.find((event) => event.type === 'chat-created');
  if (created?.type !== 'chat-created') {
    throw new LoupeError('storage', 'The chat cannot be read: the line that created it is missing or damaged.');
  }
  const fold = ChatFold.created(created);
  for (const event of events) {
    fold.apply(event);
  }
  return fold;
}

/** Folds what follows a snapshot, in order. */
export function foldAfter(snapshot: FoldSnapshot, events: readonly ChatEvent[]): ChatFold {
  const fold = ChatFold.after(snapshot);
  for (const event of events) {
    fold.apply(event);
  }
  return fold;
}
