import { saidBy } from '../engine/chat/rules.js';
import type { SaidText } from '../engine/chat/said.js';
import { saidInReply } from '../engine/chat/saidInMessage.js';
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

/** What an event says that is searched; null for nothing. */
export function saidInEvent(chatId: string, event: ChatEvent): Said | null {
  const said = saidBy(event);
  const { at, seq, id } = event;
  return said === null ? null : { ...said, chatId, key: said.messageId ?? id, at, seq };
}

/** A reply that became no message (yet). */
export function saidInAttempt(chatId: string, { id, reply, startedAt }: Pick<AttemptState, 'id' | 'reply' | 'startedAt'>): Said {
  return { ...saidInReply(id, reply), chatId, key: id, at: startedAt, seq: 0 };
}
