import type { FoldStamp } from '../stamp.js';
import type { SaidText } from '../said.js';
import type { ChatConfig } from '../config.js';
import type { SentMessage } from '../message.js';
import type { Timeline } from '../timeline.js';

/** The event that every chat begins with. */
export interface ChatCreated {
  readonly type: 'chat-created';
  readonly chatId: string;
  readonly config: ChatConfig;
  /** URIs of the workspace folders it was created in, so that it can be found when their storage moves. */
  readonly folders: readonly string[];
  /** The chat and the message it was forked from. */
  readonly parent: { readonly chatId: string; readonly messageId: string } | null;
}

/** What a fork copies of a chat. */
export interface Copied {
  /** The chat it is copied from. */
  readonly chatId: string;
  /** The conversation up to the fork. */
  readonly messages: readonly SentMessage[];
  /** The attempts behind its replies, with those that their manifests are written against. */
  readonly attempts: ReadonlySet<string>;
}

/** What a snapshot keeps of a conversation: its end, and what belongs to that. */
export interface Cut {
  /** The end of the branch on show, from a user message on. */
  readonly timeline: Timeline;
  /** The runs of this end. */
  readonly runs: ReadonlySet<string>;
  /** The attempts of its runs and replies, with those that their manifests are written against. */
  readonly attempts: ReadonlySet<string>;
}

/** The types that a slice is made of. */
export interface SliceTypes {
  /** Its part of a chat's state; it has its own members. */
  readonly state: object;
  /** The events it owns. */
  readonly event: { readonly type: string };
  /** Its part of a snapshot: plain JSON. */
  readonly json: unknown;
  /** The state that it reads: its own, and that of the slices it rests on. */
  readonly reads: object;
  /** Events of other slices that change it, too. */
  readonly follows: { readonly type: string };
}

/** A state that the fold changes in place. Entries of containers are replaced, never changed. */
export type Draft<T> = {
  -readonly [K in keyof T]: T[K] extends ReadonlyMap<infer A, infer B>
    ? Map<A, B>
    : T[K] extends ReadonlySet<infer A>
      ? Set<A>
      : T[K] extends readonly (infer A)[]
        ? A[]
        : T[K];
};

/** What an event can tell the fold beside what it changes. */
export interface FoldReport {
  /** Whether only the end of the chat is here. */
  readonly isEnd: boolean;
  /** What the event is about is not there, `problem` in plain words: it stands before the end that was read, or on a damaged line. */
  missing(problem: string): void;
}

type Apply<State, Event> = (state: Draft<State>, event: Event & FoldStamp, report: FoldReport) => void;

/** What is to be said of a type of event, beside its shape. */
export interface EventRule<State, Event> {
  readonly apply: Apply<State, Event>;
  /**
   * What an event of another window must not overtake. `slice`: any event of the slice. `conversation`: whatever has its
   * place in the conversation. `run`: those of its own run only, because it changes nothing but that run, wherever it
   * arrives; the first event of a run has its place in the conversation all the same.
   */
  readonly order: 'slice' | 'conversation' | 'run';
  /** Its text as search finds it; null for a type without any. */
  readonly said: ((event: Event) => SaidText | null) | null;
}

/** Replaces an entry of a state by what `changed` makes of it; `what` names an entry in the report that it is not there. */
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

/** The rule of an event without a text that search finds. */
export function silent<State, Event>(order: EventRule<State, Event>['order'], apply: Apply<State, Event>): EventRule<State, Event> {
  return { order, said: null, apply };
}

/** The rules of a union of events, complete by type. */
export type EventRules<State, Event extends { readonly type: string }> = {
  readonly [T in Event['type']]: EventRule<State, Extract<Event, { readonly type: T }>>;
};

/** How events of other slices change this one. */
export type FollowRules<State, Event extends { readonly type: string }> = {
  readonly [T in Event['type']]: Apply<State, Extract<Event, { readonly type: T }>>;
};

/** A slice that rests on no other one. */
export type OwnSlice<State extends object, Event extends { readonly type: string }, Json> = Slice<{
  state: State;
  event: Event;
  json: Json;
  reads: State;
  follows: never;
}>;

/**
 * One kind of thing a chat knows: the events it owns, what they make of its state, and all that is done with a chat as
 * a whole. What is forgotten here does not compile. The slices of a chat are in `table.ts`.
 */
export interface Slice<T extends SliceTypes> {
  readonly initial: (created: ChatCreated & FoldStamp) => T['state'];
  readonly events: EventRules<T['reads'], T['event']>;
  readonly follows: FollowRules<T['reads'], T['follows']>;
  /** What of the state a snapshot keeps, given what it keeps of the conversation. */
  readonly snapshot: (state: T['reads'], cut: Cut) => T['json'];
  readonly restore: (json: T['json']) => T['state'];
  /** Paragraphs of Markdown for a copy to be read, in the order of the slices. */
  readonly exported: (state: T['reads']) => readonly string[];
  /** What a fork begins with of it. */
  readonly fork: (state: T['reads'], copied: Copied) => readonly T['event'][];
  /** Whether nothing was done with it since the chat was created. */
  readonly isUntouched: (state: T['state']) => boolean;
}
