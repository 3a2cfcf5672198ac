import type { ChatState } from './state.js';
import { messagesOf, type TimelineItem } from './timeline.js';
import {
  isConversation,
  isSent,
  type AccountingMessage,
  type AssistantMessage,
  type Message,
  type SummaryMessage,
  type ToolResultsMessage,
  type UserMessage,
} from './message/message.js';

/*
 * Divides a conversation into turns: a user message and everything before the next user message. The view of a turn
 * depends only on that turn, so a part of a long chat can be shown without reading the whole chat.
 */

/** Messages that are shown. Tool results are shown in the entry of their calls, and a summary only if it was used. */
export type ShownMessage = UserMessage | AssistantMessage | ToolResultsMessage | SummaryMessage | AccountingMessage;

/** Whole turns of a timeline: the items from index `from` up to, but not including, `to`. */
export interface TurnRange {
  readonly from: number;
  readonly to: number;
}

export function isShown(message: Message): message is ShownMessage {
  return isSent(message) || message.role === 'summary' || message.role === 'accounting';
}

export function entryId(message: ShownMessage): string {
  return message.role === 'assistant' ? message.attemptId : message.id;
}

/** Returns the id of the entry that shows a message. Tool results are shown in the reply that called the tools. */
export function shownAs({ timeline }: Pick<ChatState, 'timeline'>, message: Message): string {
  if (message.role !== 'tool-results') {
    return isShown(message) ? entryId(message) : message.id;
  }
  const messages = messagesOf(timeline);
  const reply = messages.slice(0, messages.indexOf(message)).findLast(({ role }) => role === 'assistant');
  return reply?.role === 'assistant' ? reply.attemptId : message.id;
}

/** Returns the id of the message that a loaded entry shows. Returns any other id unchanged. */
export function messageIdOf({ timeline }: Pick<ChatState, 'timeline'>, id: string): string {
  const message = messagesOf(timeline).findLast((each) => isShown(each) && entryId(each) === id);
  return message?.id ?? id;
}

/** Returns the timeline index of an entry's message, or of the run of an attempt without a message; -1 when missing. */
export function timelineIndex({ timeline, attempts }: ChatState, id: string): number {
  const message = timeline.findLastIndex((item) => item.kind === 'message' && isShown(item.message) && entryId(item.message) === id);
  const runId = attempts.get(id)?.runId;
  return message === -1 && runId !== undefined ? timeline.findLastIndex((item) => item.kind === 'run' && item.runId === runId) : message;
}

/**
 * Returns the turn of the item with index `at`, and the turns around it with at least `before` and `after` shown
 * messages, as far as loaded. `at` may be the length of the timeline, for its end.
 */
export function exchangesAround(
  timeline: readonly TimelineItem[],
  at: number,
  { before, after }: { readonly before: number; readonly after: number },
): TurnRange {
  const from = boundary(timeline, boundary(timeline, at, 0, -1), before, -1);
  const to = boundary(timeline, boundary(timeline, Math.min(at + 1, timeline.length), 0, 1), after, 1);
  return { from, to };
}

/** Returns the number of user and model messages in a range of the timeline. */
export function countConversation(timeline: readonly TimelineItem[], { from, to }: TurnRange): number {
  let messages = 0;
  // Copies nothing, because this runs for every piece of streamed text.
  for (let at = from; at < to; at += 1) {
    const item = timeline[at];
    messages += item?.kind === 'message' && isConversation(item.message) ? 1 : 0;
  }
  return messages;
}

/** Returns the next turn boundary from `start` after at least `wanted` messages with an entry, or the end. */
function boundary(timeline: readonly TimelineItem[], start: number, wanted: number, step: 1 | -1): number {
  let [at, found] = [start, 0];
  while ((step === 1 ? at < timeline.length : at > 0) && (found < wanted || !beginsTurn(timeline[at]))) {
    const item = timeline[step === 1 ? at : at - 1];
    // Tool results have no entry of their own.
    found += item?.kind === 'message' && isShown(item.message) && item.message.role !== 'tool-results' ? 1 : 0;
    at += step;
  }
  return at;
}

/** Whether a turn begins at the item. The end of the timeline, where `item` is undefined, is also a boundary. */
function beginsTurn(item: TimelineItem | undefined): boolean {
  return item === undefined || (item.kind === 'message' && item.message.role === 'user');
}
