import type { Message } from './message/message.js';

/** An item of a branch: a message, or the start of a run. */
export type TimelineItem =
  | { readonly kind: 'message'; readonly message: Message; readonly runId: string | null; readonly at: number }
  | { readonly kind: 'run'; readonly runId: string };

/** Items of a whole branch or a part of a branch, in order. */
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

export function lastMessage(timeline: Timeline): Message | undefined {
  const item = timeline.findLast(({ kind }) => kind === 'message');
  return item?.kind === 'message' ? item.message : undefined;
}

/** Returns the ids of the attempts whose replies became messages. */
export function answeredAttempts(timeline: Timeline): ReadonlySet<string> {
  return new Set(messagesOf(timeline).flatMap((message) => (message.role === 'assistant' ? [message.attemptId] : [])));
}

export function isMessageItem(item: TimelineItem, id: string): boolean {
  return item.kind === 'message' && item.message.id === id;
}

export interface BranchState {
  readonly timeline: Timeline;
  /** Discarded branches, by the id of the rewind that discarded them. */
  readonly rewinds: ReadonlyMap<string, Timeline>;
}
