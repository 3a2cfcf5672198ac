import { saidBy } from '../engine/chat/rules.js';
import type { SaidText } from '../engine/chat/said.js';
import type { Message } from '../engine/chat/message.js';
import { saidInMessage, saidInReply } from '../engine/chat/saidInMessage.js';
import type { AttemptState } from '../engine/chat/slices/attempts.js';
import type { ChatEvent } from '../engine/chat/event.js';

/** Something said in a chat, whose texts are searched one by one. */
export interface Said extends SaidText {
  readonly chatId: string;
  /** Of its chat alone: the same key twice is the same thing said. */
  readonly key: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Orders what was said at the same time. */
  readonly seq: number;
}

/** What an open chat says, in the memory of its window. */
export interface SaidInMemory {
  readonly chatId: string;
  /** What the log does not have yet. */
  readonly underWay: readonly Said[];
  /** All that is here, for when the log cannot be read. */
  readonly all: () => readonly Said[];
}

/** What an event says that is searched; null for nothing. */
export function saidInEvent(chatId: string, event: ChatEvent): Said | null {
  const said = saidBy(event);
  const { at, seq, id } = event;
  return said === null ? null : { ...said, chatId, key: said.messageId ?? id, at, seq };
}

/** The same of a message of an open chat, which was logged `at`. */
export function saidByMessage(chatId: string, message: Message, at: number): Said | null {
  const said = saidInMessage(message);
  return said === null ? null : { ...said, chatId, key: message.id, at, seq: 0 };
}

/** A reply that became no message (yet). */
export function saidInAttempt(chatId: string, { id, reply, startedAt }: Pick<AttemptState, 'id' | 'reply' | 'startedAt'>): Said {
  return { ...saidInReply(id, reply), chatId, key: id, at: startedAt, seq: 0 };
}
