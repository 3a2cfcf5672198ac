import { isSent, type SentMessage } from '../chat/message/message.js';
import { answeredId } from '../chat/branch.js';
import { transcript } from '../chat/transcript.js';
import type { Compaction } from '../chat/slices/compaction.js';
import type { ChatState } from '../chat/state.js';
import { UntilChange } from '../chat/untilChange.js';
import { messagesOf } from '../chat/timeline.js';
import { failure } from '../errors.js';
import { splitAtCheckpoint } from '../chat/checkpoint.js';

export interface Range {
  readonly messages: readonly SentMessage[];
  /** Ids of the first and the last message. */
  readonly from: string;
  readonly to: string;
  /** The first message after the range; null at the end of the conversation. */
  readonly next: SentMessage | null;
}

const OPEN_MESSAGES = new UntilChange<readonly SentMessage[]>();

/** Returns the messages that the next request sends after the last summary. Cached, for views at each key press. */
export function openMessages(state: ChatState): readonly SentMessage[] {
  return OPEN_MESSAGES.of(state, () => transcript({ ...state, timeline: splitAtCheckpoint(state).rest }).messages);
}

/**
 * Returns the messages that a compaction up to message `to` replaces. The range begins after the previous compaction.
 * If `to` is null, the range has all messages except a user message without a reply. In a running turn, the last step
 * is kept. Tool results are replaced together with their calls. Throws `invalidInput` when no message can be replaced.
 */
export function compactionRange(state: ChatState, to: string | null): Range {
  const messages = openMessages(state);
  const last = lastOfEndedTurns(state, messages);
  const wanted =
    to === null
      ? last
      : Math.min(
          Math.max(last, lastOfEndedSteps(messages)),
          messages.findIndex(({ id }) => id === to),
        );
  const next = messages[wanted + 1];
  const end = next?.role === 'tool-results' ? wanted + 1 : wanted;
  const replaced = messages.slice(0, end + 1);
  const [first, final] = [replaced[0], replaced.at(-1)];
  if (first === undefined || final === undefined) {
    throw failure('chat.nothingToSummarize');
  }
  return { messages: replaced, from: first.id, to: final.id, next: messages[end + 1] ?? null };
}

/**
 * Returns the messages that a compaction has replaced, without those that no request sends, such as a message whose run
 * failed. Null when the first or last is not on the loaded branch.
 */
export function replacedMessages({ from, to }: Pick<Compaction, 'from' | 'to'>, state: ChatState): readonly SentMessage[] | null {
  const messages = messagesOf(state.timeline).filter(isSent);
  const [first, last] = [messages.findIndex(({ id }) => id === from), messages.findIndex(({ id }) => id === to)];
  const sent = new Set(transcript(state).messages);
  return first === -1 || last === -1 ? null : messages.slice(first, last + 1).filter((message) => sent.has(message));
}

/** Returns the index of the message before the last step. -1 if the conversation does not end with tool results. */
function lastOfEndedSteps(messages: readonly SentMessage[]): number {
  return messages.at(-1)?.role === 'tool-results' ? messages.findLastIndex(({ role }) => role === 'assistant') - 1 : -1;
}

/** Returns the index of the last message before the user message that has no reply yet, or of the last message. */
function lastOfEndedTurns(state: ChatState, messages: readonly SentMessage[]): number {
  const id = answeredId(state);
  const answered = messages.findIndex((message) => message.id === id);
  return (answered === -1 ? messages.length : answered) - 1;
}
