import type { Message } from './message.js';

/** The conversation as it stands, in order: messages, and where each run began. */
export type TimelineItem =
  | { readonly kind: 'message'; readonly message: Message; readonly runId: string | null; readonly at: number }
  | { readonly kind: 'run'; readonly runId: string };

/** A part of the conversation. */
export type Timeline = readonly TimelineItem[];

export function messagesOf(timeline: Timeline): Message[] {
  return timeline.flatMap((item) => (item.kind === 'message' ? [item.message] : []));
}

/** The attempts of the replies that are messages. */
export function answeredAttempts(timeline: Timeline): ReadonlySet<string> {
  return new Set(messagesOf(timeline).flatMap((message) => (message.role === 'assistant' ? [message.attemptId] : [])));
}

export function isMessageItem(item: TimelineItem, id: string): boolean {
  return item.kind === 'message' && item.message.id === id;
}

export interface BranchState {
  /** The branch on show. */
  readonly timeline: Timeline;
  /** The branches that rewinds left, by rewind id. */
  readonly rewinds: ReadonlyMap<string, Timeline>;
}
