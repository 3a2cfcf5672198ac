import type { ChatState } from '../../engine/chat/state.js';
import type { TimelineItem } from '../../engine/chat/timeline.js';
import {
  isConversation,
  isSent,
  type AccountingMessage,
  type AssistantMessage,
  type Message,
  type ToolResultsMessage,
  type UserMessage,
} from '../../engine/chat/message.js';

/*
 * A conversation falls into exchanges: a user message and all that stands before the next one. What is shown of an
 * exchange follows from it alone, so that a part of a long chat can be shown without a look at the rest.
 */

/** Messages that have an entry. No event of this version writes the other roles into a chat. */
export type ShownMessage = UserMessage | AssistantMessage | ToolResultsMessage | AccountingMessage;

/** Whole exchanges of a timeline, as indices: from `from` on and before `to`. */
export interface ExchangeRange {
  readonly from: number;
  readonly to: number;
}

export function isShown(message: Message): message is ShownMessage {
  return isSent(message) || message.role === 'accounting';
}

/** The id that the entry of a message has. */
export function entryId(message: ShownMessage): string {
  return message.role === 'assistant' ? message.attemptId : message.id;
}

/** Where the entry `id` comes from in the timeline: its message, or the run of a reply that became none; -1 for nowhere. */
export function placeOf({ timeline, attempts }: ChatState, id: string): number {
  const message = timeline.findLastIndex((item) => item.kind === 'message' && isShown(item.message) && entryId(item.message) === id);
  const runId = attempts.get(id)?.runId;
  return message === -1 && runId !== undefined ? timeline.findLastIndex((item) => item.kind === 'run' && item.runId === runId) : message;
}

/**
 * The exchange that the item at `at` belongs to, with at least so many shown messages before and after that exchange,
 * as far as they are here. The length of the timeline as `at` stands for its end.
 */
export function exchangesAround(
  timeline: readonly TimelineItem[],
  at: number,
  { before, after }: { readonly before: number; readonly after: number },
): ExchangeRange {
  const from = boundary(timeline, boundary(timeline, at, 0, -1), before, -1);
  const to = boundary(timeline, boundary(timeline, Math.min(at + 1, timeline.length), 0, 1), after, 1);
  return { from, to };
}

/** Messages of people and models in a part of a timeline. */
export function countConversation(timeline: readonly TimelineItem[], { from, to }: ExchangeRange): number {
  let messages = 0;
  // Copies no part of the timeline: this is done for every piece of text that streams in.
  for (let at = from; at < to; at += 1) {
    const item = timeline[at];
    messages += item?.kind === 'message' && isConversation(item.message) ? 1 : 0;
  }
  return messages;
}

/** The next place between exchanges, in steps of `step`, with at least so many shown messages up to it; the end without one. */
function boundary(timeline: readonly TimelineItem[], start: number, wanted: number, step: 1 | -1): number {
  let [at, found] = [start, 0];
  while ((step === 1 ? at < timeline.length : at > 0) && (found < wanted || !beginsExchange(timeline[at]))) {
    const item = timeline[step === 1 ? at : at - 1];
    found += item?.kind === 'message' && isShown(item.message) ? 1 : 0;
    at += step;
  }
  return at;
}

/** The end of the timeline stands between exchanges, too. */
function beginsExchange(item: TimelineItem | undefined): boolean {
  return item === undefined || (item.kind === 'message' && item.message.role === 'user');
}
