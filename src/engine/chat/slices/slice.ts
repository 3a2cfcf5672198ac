import type { ReplyUsage } from '../../model/usage.js';
import type { FoldStamp } from '../order/stamp.js';
import type { SearchText } from '../message/said.js';
import type { ChatConfig } from '../settings/config.js';
import type { SentMessage, SummaryMessage } from '../message/message.js';
import type { Timeline } from '../timeline.js';

/** A message that the user sent again in a fork, with one change. */
export interface ResentMessage {
  /** Id of the attempt in the original chat that replied to the message. */
  readonly attemptId: string;
  /** The change in words for the user, for example `without AGENTS.md`. */
  readonly change: string;
  /** Id of the last message that the fork copied. Null if the fork copied no message. */
  readonly after: string | null;
  /** Usage and cost of the reply in the original chat, as recorded when the user sent the message again. */
  readonly instead: ReplyUsage;
}

/** The chat and the message that a fork was made from. */
export interface ForkParent {
  readonly chatId: string;
  readonly messageId: string;
  /** Present if the user made the fork to send this message again. */
  readonly sentAgain?: ResentMessage;
}

/** The first event of every chat. */
export interface ChatCreated {
  readonly type: 'chat-created';
  readonly chatId: string;
  readonly config: ChatConfig;
  /** URIs of the workspace folders. They identify the workspace, even if VS Code changes its storage folder. */
  readonly folders: readonly string[];
  /** The original chat of a fork. Null for other chats. */
  readonly parent: ForkParent | null;
}

/** The part of a chat that a fork copies. */
export interface ForkContent {
  /** Id of the chat that the fork was made from. */
  readonly chatId: string;
  /** The conversation up to the fork, with the summaries whose messages are all copied. */
  readonly messages: readonly (SentMessage | SummaryMessage)[];
  /** Ids of the attempts of the copied replies, and of all attempts that their manifests refer to. */
  readonly attempts: ReadonlySet<string>;
}

/** The part of a conversation that a snapshot keeps. */
export interface SnapshotCut {
  /** The end of the current branch, starting at a user message. */
  readonly timeline: Timeline;
  readonly runs: ReadonlySet<string>;
  /** Ids of the attempts of the kept runs and replies, and of the attempts that their manifests refer to. */
  readonly attempts: ReadonlySet<string>;
}

export interface SliceTypes {
  readonly state: object;
  readonly event: { readonly type: string };
  readonly json: unknown;
  /** The state that the slice reads: the state of the slice, and the state of other slices that it depends on. */
  readonly reads: object;
  /** The events of other slices that change the state of this slice. */
  readonly follows: { readonly type: string };
}

/** A state that the fold changes in place. The entries of maps and lists are replaced, never changed. */
export type Mutable<T> = {
  -readonly [K in keyof T]: T[K] extends ReadonlyMap<infer A, infer B>
    ? Map<A, B>
    : T[K] extends ReadonlySet<infer A>
      ? Set<A>
      : T[K] extends readonly (infer A)[]
        ? A[]
        : T[K];
};

/** Passed to a slice while it applies an event. The slice reads `isEnd` and reports missing entries. */
export interface FoldReport {
  /** Whether only the end of the chat is loaded. */
  readonly isEnd: boolean;
  /** Reports a missing entry, before the loaded end or on a damaged line. `problem` describes it in plain words. */
  missing(problem: string): void;
}

type EventApplier<State, Event> = (state: Mutable<State>, event: Event & FoldStamp, report: FoldReport) => void;

/** Defines how an event type is folded, ordered and searched. */
export interface EventRule<State, Event> {
  readonly apply: EventApplier<State, Event>;
  /**
   * An event of another VS Code window can arrive late. Its place matters only among these events:
   *
   * - `slice`: all events of its slice.
   * - `conversation`: all events with a place in the conversation.
   * - `run`: all events of its run, because it changes nothing else. The first event of a run uses `conversation`.
   */
  readonly order: 'slice' | 'conversation' | 'run';
  /** Returns the text for search. Null if search ignores this event type. */
  readonly said: ((event: Event) => SearchText | null) | null;
}

/** Replaces the entry `id` by the result of `changed`, or reports the entry as missing. `what` is the kind of entry. */
export function changeEntry<T>(
  entries: Map<string, T>,
  [what, id]: readonly [what: string, id: string],
  report: FoldReport,
  changed: (entry: T) => T,
): void {
  const entry = entries.get(id);
  if (entry === undefined) {
    report.missing(`An event of the unknown ${what} ${id}`);
  } else {
    entries.set(id, changed(entry));
  }
}

export function unsearched<State, Event>(
  order: EventRule<State, Event>['order'],
  apply: EventApplier<State, Event>,
): EventRule<State, Event> {
  return { order, said: null, apply };
}

/** One rule for each type of a union of events. */
export type EventRules<State, Event extends { readonly type: string }> = {
  readonly [T in Event['type']]: EventRule<State, Extract<Event, { readonly type: T }>>;
};

/** Rules for events of other slices that change this slice. */
export type FollowRules<State, Event extends { readonly type: string }> = {
  readonly [T in Event['type']]: EventApplier<State, Extract<Event, { readonly type: T }>>;
};

/** A slice that depends on no other slice. */
export type OwnSlice<State extends object, Event extends { readonly type: string }, Json> = Slice<{
  state: State;
  event: Event;
  json: Json;
  reads: State;
  follows: never;
}>;

/** Returns Markdown lines about the reply of an attempt, such as its usage. Empty if nothing is known. */
export type ReplyFigures = (attemptId: string) => readonly string[];

/**
 * One aspect of a chat. A slice defines its events, how they change its state, and what it does in every operation on a
 * chat, such as an export. A missing member is a compile error. `table.ts` lists all slices.
 */
export interface Slice<T extends SliceTypes> {
  readonly initial: (created: ChatCreated & FoldStamp) => T['state'];
  readonly events: EventRules<T['reads'], T['event']>;
  readonly follows: FollowRules<T['reads'], T['follows']>;
  /** Returns the slice's part of a snapshot. `cut` is the part of the conversation that the snapshot keeps. */
  readonly snapshot: (state: T['reads'], cut: SnapshotCut) => T['json'];
  readonly restore: (json: T['json']) => T['state'];
  /** Returns the slice's paragraphs of a Markdown export, with `figures` below each reply. */
  readonly exported: (state: T['reads'], figures: ReplyFigures) => readonly string[];
  /** Returns the first events of the slice in a fork. */
  readonly fork: (state: T['reads'], copied: ForkContent) => readonly T['event'][];
  /** Returns whether the slice's state is as it was when the chat was created. */
  readonly isUntouched: (state: T['state']) => boolean;
}
