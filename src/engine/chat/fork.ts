import { failure } from '../errors.js';
import type { Copied } from './slices/slice.js';
import type { SentMessage } from './message.js';
import { withBases } from './snapshot.js';
import { SLICES, type EventDraft } from './slices/table.js';
import type { WholeChat } from './state.js';
import { transcript } from './transcript.js';

type Fork = (state: WholeChat, copied: Copied) => readonly EventDraft[];

/**
 * What a fork begins with: of each slice what it copies, and the conversation up to and including the message or attempt
 * `id`. Throws `invalidInput` when that is not part of the conversation.
 */
export function forkDrafts(chat: WholeChat, id: string): EventDraft[] {
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
  // The results of its tool calls belong to it.
  const after = sent.findIndex((message, index) => index > at && message.role !== 'tool-results');
  return sent.slice(0, after === -1 ? sent.length : after);
}
