import { failure } from '../errors.js';
import type { Copied } from './slices/slice.js';
import type { SentMessage } from './message.js';
import { withBases } from './snapshot.js';
import { SLICES, type NewEvent } from './slices/table.js';
import type { WholeChat } from './state.js';
import { transcript } from './transcript.js';

type Fork = (state: WholeChat, copied: Copied) => readonly NewEvent[];

/**
 * The first events of a fork: what each slice copies, and the conversation up to and including `id`, which names a
 * message or an attempt. Throws `invalidInput` when `id` is not part of the conversation.
 */
export function forkEvents(chat: WholeChat, id: string): NewEvent[] {
  const messages = messagesUpTo(transcript(chat).messages, id);
  const replies = messages.flatMap((message) => (message.role === 'assistant' ? [message.attemptId] : []));
  const copied: Copied = { chatId: chat.chatId, messages, attempts: withBases(replies, chat.attempts) };
  return Object.values(SLICES).flatMap(({ fork }) => (fork as Fork)(chat, copied));
}

function messagesUpTo(sent: readonly SentMessage[], id: string): readonly SentMessage[] {
  const at = sent.findIndex((message) => message.id === id || ('attemptId' in message && message.attemptId === id));
  if (at === -1) {
    throw failure('chat.notForkable');
  }
  // The results of its tool calls are copied, too.
  const after = sent.findIndex((message, index) => index > at && message.role !== 'tool-results');
  return sent.slice(0, after === -1 ? sent.length : after);
}
