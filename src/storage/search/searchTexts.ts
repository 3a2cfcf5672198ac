import { eventSearchText } from '../../engine/chat/rules.js';
import { type SearchText, messageSearchText, replySearchText } from '../../engine/chat/message/said.js';
import { type GrowingReply, applyPiece } from '../../engine/chat/message/reply.js';
import type { Message } from '../../engine/chat/message/message.js';
import type { AttemptState } from '../../engine/chat/slices/attempts.js';
import type { ChatEvent } from '../../engine/chat/event.js';

/** A message, reply or title of a chat, with one or more texts. Each text is searched separately. */
export interface SearchableText extends SearchText {
  readonly chatId: string;
  /** Identifies the message, reply or title within the chat. */
  readonly key: string;
  /** The time of the message in epoch milliseconds. */
  readonly at: number;
  /** The sequence number, to sort texts of the same time. */
  readonly seq: number;
}

/** The texts of an open chat in the memory of this VS Code window. */
export interface TextsInMemory {
  readonly chatId: string;
  /** Texts that are not in the log yet. */
  readonly unsavedTexts: readonly SearchableText[];
  /** Returns all texts of the chat in memory. Searched when the chat's log is unreadable. */
  readonly all: () => readonly SearchableText[];
}

/** Returns the texts of an event that are searched. Null if the event has no such text. */
export function textsOfEvent(chatId: string, event: ChatEvent): SearchableText | null {
  const said = eventSearchText(event);
  const { at, seq, id } = event;
  return said === null ? null : { ...said, chatId, key: said.messageId ?? id, at, seq };
}

/** Like `textsOfEvent`, for a message of an open chat. `at`: the time of the message in the log. */
export function textsOfMessage(chatId: string, message: Message, at: number): SearchableText | null {
  const said = messageSearchText(message);
  return said === null ? null : { ...said, chatId, key: message.id, at, seq: 0 };
}

export function textsOfAttempt(chatId: string, { id, reply, startedAt }: Pick<AttemptState, 'id' | 'reply' | 'startedAt'>): SearchableText {
  return { ...replySearchText(id, reply), chatId, key: id, at: startedAt, seq: 0 };
}

/** Returns the replies that became no message. `events` are the events of attempts in log order. */
export function repliesWithoutMessage(chatId: string, events: readonly ChatEvent[]): readonly SearchableText[] {
  const attempts = new Map<string, { readonly id: string; readonly startedAt: number; readonly reply: GrowingReply }>();
  for (const event of events) {
    if (event.type === 'attempt-started' && event.purpose === 'reply') {
      attempts.set(event.attemptId, { id: event.attemptId, startedAt: event.at, reply: [] });
    } else if (event.type === 'attempt-progress') {
      const attempt = attempts.get(event.attemptId);
      if (attempt !== undefined) {
        event.pieces.forEach((piece) => {
          applyPiece(attempt.reply, piece);
        });
      }
    }
  }
  return [...attempts.values()].map((attempt) => textsOfAttempt(chatId, attempt));
}
