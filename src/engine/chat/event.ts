import type { Usage } from '../accounting/usage.js';
import type { ContextItemBase, SessionContextItem } from '../context/item.js';
import type { ErrorRecord } from '../errors.js';
import type { Json } from '../json.js';
import type { Manifest } from '../request/manifest.js';
import type { StopReason } from '../run/model.js';
import type { ChatConfig, ModelRef } from './config.js';
import type { Message, RewindReason } from './message.js';

/**
 * Version of the log line format. A chat with a line of a newer version, or of a type that is not known here,
 * opens read-only: showing part of a history that a newer Loupe has steered would be wrong silently.
 */
export const LOG_VERSION = 1;

export type AttemptPurpose = 'reply' | 'title' | 'summary' | 'topic';
export type RunCause = 'message' | 'retry' | 'continue';
export type AttemptOutcome = 'complete' | 'stopped' | 'failed' | 'interrupted';

/**
 * A piece of a reply as it streams. `offset` is the length in UTF-16 units of the part's text before the piece,
 * which makes folding idempotent: a piece that is known already changes nothing.
 */
export type ProgressPiece =
  | { readonly type: 'text'; readonly index: number; readonly offset: number; readonly text: string }
  | { readonly type: 'reasoning'; readonly index: number; readonly offset: number; readonly text: string }
  | { readonly type: 'reasoningSigned'; readonly index: number; readonly opaque: string }
  | { readonly type: 'toolCall'; readonly index: number; readonly id: string; readonly name: string }
  | { readonly type: 'toolCallArgs'; readonly index: number; readonly offset: number; readonly text: string };

/** When a failed request is made again: the `number`th of at most `most` times, at the epoch millisecond `at`. */
export interface RetryPlan {
  readonly at: number;
  readonly number: number;
  readonly most: number;
}

/** A chat of another workspace, as the log that was copied names it. */
export interface ChatOrigin {
  readonly chatId: string;
  readonly folders: readonly string[];
}

/** Everything that can happen to a chat, as the engine writes it: the journal adds the stamp. */
export type EventDraft =
  | {
      readonly type: 'chat-created';
      readonly chatId: string;
      readonly config: ChatConfig;
      /** URIs of the workspace folders it was created in, so that it can be found when their storage moves. */
      readonly folders: readonly string[];
      readonly parent: { readonly chatId: string; readonly messageId: string } | null;
    }
  /**
   * The log up to here was copied from the chat `from` of another workspace: the chat has the id `chatId` from now on
   * and belongs to `folders`, the workspace it was brought into.
   */
  | {
      readonly type: 'imported';
      readonly chatId: string;
      readonly folders: readonly string[];
      readonly from: ChatOrigin;
    }
  /** The workspace that the chat was made in has other folders than it had then: the chat belongs to these. */
  | { readonly type: 'folders-changed'; readonly folders: readonly string[] }
  | { readonly type: 'config-changed'; readonly change: Partial<ChatConfig> }
  | { readonly type: 'title'; readonly title: string; readonly by: 'user' | 'model' }
  | { readonly type: 'message'; readonly runId: string | null; readonly message: Message }
  | { readonly type: 'context-added'; readonly item: SessionContextItem }
  | { readonly type: 'context-removed'; readonly item: ContextItemBase }
  | {
      readonly type: 'run-started';
      readonly runId: string;
      readonly userMessageId: string;
      readonly cause: RunCause;
    }
  | {
      readonly type: 'attempt-started';
      readonly runId: string;
      readonly attemptId: string;
      readonly purpose: AttemptPurpose;
      readonly model: ModelRef;
      readonly protocol: string;
      readonly manifest: Manifest;
    }
  | {
      readonly type: 'attempt-progress';
      readonly runId: string;
      readonly attemptId: string;
      readonly pieces: readonly ProgressPiece[];
    }
  | {
      readonly type: 'attempt-ended';
      readonly runId: string;
      readonly attemptId: string;
      readonly outcome: AttemptOutcome;
      readonly usage: Usage | null;
      readonly rawUsage: Json;
      /** US dollars at the prices of the time; null when unknown. Prices are configuration and may change. */
      readonly cost: number | null;
      readonly responseId: string | null;
      readonly stopReason: StopReason | null;
      readonly error: ErrorRecord | null;
      /** The failed request is made again; null when it is not. */
      readonly retry: RetryPlan | null;
    }
  | { readonly type: 'tool-started'; readonly runId: string; readonly callId: string; readonly name: string }
  | { readonly type: 'tool-ended'; readonly runId: string; readonly callId: string; readonly isError: boolean }
  | { readonly type: 'run-committed'; readonly runId: string }
  | { readonly type: 'run-stopped'; readonly runId: string }
  /** Failed after a tool ran: what is complete stays. */
  | { readonly type: 'run-failed'; readonly runId: string; readonly error: ErrorRecord }
  /** Failed before any tool ran: nothing of it is sent again, the user message counts as unsent. */
  | { readonly type: 'run-rolled-back'; readonly runId: string; readonly error: ErrorRecord }
  /** Its writer died; written by whoever found out. */
  | { readonly type: 'run-interrupted'; readonly runId: string }
  /**
   * Cuts the branch after message `to` (null: before the first); a run that `to` began without a further message
   * goes with a retry only. `rewindId` names the branch that was left.
   */
  | { readonly type: 'rewound'; readonly rewindId: string; readonly to: string | null; readonly reason: RewindReason }
  /** Returns to the branch that `rewindId` left; `undoId` names the one left now. */
  | { readonly type: 'restored'; readonly rewindId: string; readonly undoId: string };

export type EventType = EventDraft['type'];

/** What the journal adds to each draft. */
export interface EventStamp {
  readonly v: number;
  /** Lamport clock: greater than every `seq` its writer had seen. */
  readonly seq: number;
  readonly id: string;
  /** Epoch milliseconds; for display only, order is by `seq`. */
  readonly at: number;
  /** Id of the writing window's activation: the name of the segment, not a member of the line. */
  readonly writer: string;
}

export type ChatEvent = EventDraft & EventStamp;

/** How far a draft must have got before the run goes on. */
export type Persistence =
  /** Shown only: the same text follows in a written piece. */
  | 'shown'
  /** In the log file. */
  | 'written'
  /** On the disk (fdatasync). */
  | 'durable';

const EVENT_TYPES: Record<EventType, true> = {
  'chat-created': true,
  imported: true,
  'folders-changed': true,
  'config-changed': true,
  title: true,
  message: true,
  'context-added': true,
  'context-removed': true,
  'run-started': true,
  'attempt-started': true,
  'attempt-progress': true,
  'attempt-ended': true,
  'tool-started': true,
  'tool-ended': true,
  'run-committed': true,
  'run-stopped': true,
  'run-failed': true,
  'run-rolled-back': true,
  'run-interrupted': true,
  rewound: true,
  restored: true,
};

export function isEventType(type: string): type is EventType {
  return Object.hasOwn(EVENT_TYPES, type);
}

/** The run an event belongs to; null for events outside runs. */
export function runOf(event: EventDraft): string | null {
  return 'runId' in event ? event.runId : null;
}

/** Whether the event can be the first one of its run: a run that answers a new message begins with it, every other one with its start. */
export function beginsRun(event: EventDraft): boolean {
  return event.type === 'message' ? event.message.role === 'user' : event.type === 'run-started' && event.cause !== 'message';
}
