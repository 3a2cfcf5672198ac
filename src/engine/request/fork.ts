import { failure } from '../errors.js';
import { inheritedAttempts } from './inheritedAttempts.js';
import type { ForkContent } from '../chat/slices/slice.js';
import { isSent, type SentMessage } from '../chat/message/message.js';
import { SLICES, type NewEvent } from '../chat/slices/table.js';
import type { WholeChat } from '../chat/state.js';
import { messagesOf } from '../chat/timeline.js';
import { transcript } from '../chat/transcript.js';

type Fork = (state: WholeChat, copied: ForkContent) => readonly NewEvent[];

/**
 * Returns the first events of a fork: the copies of each slice, and the conversation up to message or attempt `id`.
 * Throws `invalidInput` when `id` is not part of the conversation.
 */
export function forkEvents(chat: WholeChat, id: string): NewEvent[] {
  return copyEvents(chat, messagesUpTo(transcript(chat).messages, id));
}

/** Returns the first events of a fork that ends before user message `id`. Throws `invalidInput` for an unknown one. */
export function forkEventsBefore(chat: WholeChat, id: string): NewEvent[] {
  const sent = transcript(chat).messages;
  const at = sent.findIndex((message) => message.id === id);
  if (at === -1) {
    throw failure('chat.notForkable');
  }
  return copyEvents(chat, sent.slice(0, at));
}

function copyEvents(chat: WholeChat, sent: readonly SentMessage[]): NewEvent[] {
  const replies = sent.flatMap((message) => (message.role === 'assistant' ? [message.attemptId] : []));
  const attempts = inheritedAttempts(replies, chat.attempts);
  const copied: ForkContent = { chatId: chat.chatId, messages: withSummaries(chat, sent), attempts: new Set(attempts.keys()) };
  return Object.values(SLICES).flatMap(({ fork }) => (fork as Fork)({ ...chat, attempts }, copied));
}

/** Returns the messages, and each summary that replaces only these messages, in the order of the chat. */
function withSummaries({ timeline, compactions }: WholeChat, sent: readonly SentMessage[]): ForkContent['messages'] {
  const ids = new Set(sent.map((message) => message.id));
  const summaries = new Set(
    [...compactions.values()].flatMap(({ to, summaryId, isUndone }) => (ids.has(to) && !isUndone ? [summaryId] : [])),
  );
  return messagesOf(timeline).flatMap((message) =>
    (isSent(message) && ids.has(message.id)) || (message.role === 'summary' && summaries.has(message.id)) ? [message] : [],
  );
}

function messagesUpTo(sent: readonly SentMessage[], id: string): readonly SentMessage[] {
  const at = sent.findIndex((message) => message.id === id || ('attemptId' in message && message.attemptId === id));
  if (at === -1) {
    throw failure('chat.notForkable');
  }
  // The results of its tool calls are copied as well.
  const after = sent.findIndex((message, index) => index > at && message.role !== 'tool-results');
  return sent.slice(0, after === -1 ? sent.length : after);
}
