import type { AnswerSpent } from '../../model/usage.js';
import type { FoldStamp } from '../order/stamp.js';
import type { SaidText } from '../message/said.js';
import type { ChatConfig } from '../settings/config.js';
import type { SentMessage, SummaryMessage } from '../message/message.js';
import type { Timeline } from '../timeline.js';

/** A message that was sent again in a fork, with one thing changed. */
export interface SentAgain {
  /** The request that had answered it, in the chat that was forked. */
  readonly attemptId: string;
  /** What was changed, for the user: `without AGENTS.md`. */
  readonly change: string;
  /** The last message that the fork copied; null where it copied none. */
  readonly after: string | null;
  /** What the answer in the other chat had cost by then. */
  readonly instead: AnswerSpent;
}

/** The chat and the message that a fork was made of. */
export interface Parent {
  readonly chatId: string;
  readonly messageId: string;
  /** Where it is there: the fork was made to send this message again. */
  readonly sentAgain?: SentAgain;
}

/** The first event of every chat. */
export interface ChatCreated {
  readonly type: 'chat-created';
  readonly chatId: string;
  readonly config: ChatConfig;
  /** URIs of the folders of its workspace, to find the chat again when VS Code gives the workspace another storage folder. */
  readonly folders: readonly string[];
  /** Null for a chat that is no fork. */
  readonly parent: Parent | null;
}

/** The part of a chat that a fork copies. */
export interface Copied {
  /** The chat it is copied from. */
  readonly chatId: string;
  /** The conversation up to the fork, and the summaries of what is copied whole, in their places. */
  readonly messages: readonly (SentMessage | SummaryMessage)[];
  /** Ids of the attempts behind its replies. Their manifests build on each other only. */
  readonly attempts: ReadonlySet<string>;
}

/** The part of a conversation that a snapshot keeps. */
export interface Cut {
  /** The end of the current branch, from a user message on. */
  readonly timeline: Timeline;
  /** Ids of the runs of this end. */
  readonly runs: ReadonlySet<string>;
  /** Ids of the attempts of its runs and replies, and of the attempts that their manifests are differences against. */
  readonly attempts: ReadonlySet<string>;
}

/** The type parameters of a slice. */
export interface SliceTypes {
  /** Its own members of a chat's state. */
  readonly state: object;
  /** The events it owns. */
  readonly event: { readonly type: string };
  /** Its part of a snapshot: plain JSON. */
  readonly json: unknown;
  /** The state that it reads: its own, and that of the slices it depends on. */
  readonly reads: object;
  /** The events of other slices that change its state. */
  readonly follows: { readonly type: string };
}

/** A state that the fold changes in place. Entries of containers are replaced, never changed. */
export type Mutable<T> = {
  -readonly [K in keyof T]: T[K] extends ReadonlyMap<infer A, infer B>
    ? Map<A, B>
    : T[K] extends ReadonlySet<infer A>
      ? Set<A>
      : T[K] extends readonly (infer A)[]
        ? A[]
        : T[K];
};

/** What a slice learns from the fold, and reports to it, while it applies an event. */
export interface FoldReport {
  /** Whether only the end of the chat is loaded. */
  readonly isEnd: boolean;
  /**
   * Reports that the event names something missing, `problem` in plain words. It is from before the loaded end, or it was
   * on a damaged line.
   */
  missing(problem: string): void;
}

type Apply<State, Event> = (state: Mutable<State>, event: Event & FoldStamp, report: FoldReport) => void;

/** How a type of event is folded, ordered and searched. */
export interface EventRule<State, Event> {
  readonly apply: Apply<State, Event>;
  /**
   * Which events an event must stay in order with when another window wrote it:
   *
   * - `slice`: all events of its slice.
   * - `conversation`: all events that have a place in the conversation.
   * - `run`: those of its own run, because it changes nothing else. The first event of a run counts as `conversation`.
   */
  readonly order: 'slice' | 'conversation' | 'run';
  /** The text for search; null for a type of event that search ignores. */
  readonly said: ((event: Event) => SaidText | null) | null;
}

/** Replaces the entry `id` by `changed` of it, or reports it missing; `what` is the kind of entry, for the report. */
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

/** The rule of an event without text for search. */
export function unsearched<State, Event>(order: EventRule<State, Event>['order'], apply: Apply<State, Event>): EventRule<State, Event> {
  return { order, said: null, apply };
}

/** One rule for each type of a union of events. */
export type EventRules<State, Event extends { readonly type: string }> = {
  readonly [T in Event['type']]: EventRule<State, Extract<Event, { readonly type: T }>>;
};

/** How events of other slices change this one. */
export type FollowRules<State, Event extends { readonly type: string }> = {
  readonly [T in Event['type']]: Apply<State, Extract<Event, { readonly type: T }>>;
};

/** A slice that depends on no other slice. */
export type OwnSlice<State extends object, Event extends { readonly type: string }, Json> = Slice<{
  state: State;
  event: Event;
  json: Json;
  reads: State;
  follows: never;
}>;

/** The lines of Markdown about a reply, by the id of its attempt; none where that is not known. */
export type ReplyFigures = (attemptId: string) => readonly string[];

/**
 * One kind of thing a chat knows: its events, how they change its state, and its part in every operation on a whole chat.
 * A missing part does not compile. The slices of a chat are in `table.ts`.
 */
export interface Slice<T extends SliceTypes> {
  readonly initial: (created: ChatCreated & FoldStamp) => T['state'];
  readonly events: EventRules<T['reads'], T['event']>;
  readonly follows: FollowRules<T['reads'], T['follows']>;
  /** Its part of a snapshot that keeps `cut` of the conversation. */
  readonly snapshot: (state: T['reads'], cut: Cut) => T['json'];
  readonly restore: (json: T['json']) => T['state'];
  /** Its paragraphs of a Markdown export, with `figures` below each reply. */
  readonly exported: (state: T['reads'], figures: ReplyFigures) => readonly string[];
  /** Its first events in a fork. */
  readonly fork: (state: T['reads'], copied: Copied) => readonly T['event'][];
  /** Whether its state is as it was when the chat was created. */
  readonly isUntouched: (state: T['state']) => boolean;
}
