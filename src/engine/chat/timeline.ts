import type { Message } from './message/message.js';

/** An entry of a branch: a message, or the place where a run began. */
export type TimelineItem =
  | { readonly kind: 'message'; readonly message: Message; readonly runId: string | null; readonly at: number }
  | { readonly kind: 'run'; readonly runId: string };

/** A branch or a part of one, in order. */
export type Timeline = readonly TimelineItem[];

export function messagesOf(timeline: Timeline): Message[] {
  const messages: Message[] = [];
  for (const item of timeline) {
    if (item.kind === 'message') {
      messages.push(item.message);
    }
  }
  return messages;
}

/** The ids of the attempts whose replies are messages. */
export function answeredAttempts(timeline: Timeline): ReadonlySet<string> {
  return new Set(messagesOf(timeline).flatMap((message) => (message.role === 'assistant' ? [message.attemptId] : [])));
}

export function isMessageItem(item: TimelineItem, id: string): boolean {
  return item.kind === 'message' && item.message.id === id;
}

export interface BranchState {
  /** The current branch. */
  readonly timeline: Timeline;
  /** The branches that rewinds discarded, by rewind id. */
  readonly rewinds: ReadonlyMap<string, Timeline>;
}
