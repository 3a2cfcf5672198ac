import { saidBy } from '../../engine/chat/rules.js';
import type { SaidText } from '../../engine/chat/message/said.js';
import { applyPiece, type GrowingReply } from '../../engine/chat/message/reply.js';
import type { Message } from '../../engine/chat/message/message.js';
import { saidInMessage, saidInReply } from '../../engine/chat/message/saidInMessage.js';
import type { AttemptState } from '../../engine/chat/slices/attempts.js';
import type { ChatEvent } from '../../engine/chat/event.js';

/** A message, reply or title of a chat. Its texts are searched one by one. */
export interface Said extends SaidText {
  readonly chatId: string;
  /** Unique within the chat: the same key means the same message, reply or title. */
  readonly key: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Orders texts of the same time. */
  readonly seq: number;
}

/** The texts of an open chat in this window's memory. */
export interface SaidInMemory {
  readonly chatId: string;
  /** Texts that are not in the log yet. */
  readonly underWay: readonly Said[];
  /** Returns all texts in memory, for an unreadable log. */
  readonly all: () => readonly Said[];
}

/** Returns the searched texts of an event, or null. */
export function saidInEvent(chatId: string, event: ChatEvent): Said | null {
  const said = saidBy(event);
  const { at, seq, id } = event;
  return said === null ? null : { ...said, chatId, key: said.messageId ?? id, at, seq };
}

/** Like `saidInEvent`, for a message of an open chat that was logged at `at`. */
export function saidByMessage(chatId: string, message: Message, at: number): Said | null {
  const said = saidInMessage(message);
  return said === null ? null : { ...said, chatId, key: message.id, at, seq: 0 };
}

export function saidInAttempt(chatId: string, { id, reply, startedAt }: Pick<AttemptState, 'id' | 'reply' | 'startedAt'>): Said {
  return { ...saidInReply(id, reply), chatId, key: id, at: startedAt, seq: 0 };
}

/** Returns the replies without a message, from the events of their attempts in log order. */
export function repliesWithoutMessage(chatId: string, events: readonly ChatEvent[]): readonly Said[] {
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
  return [...attempts.values()].map((attempt) => saidInAttempt(chatId, attempt));
}
