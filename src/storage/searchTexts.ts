import type { ChatEvent } from '../engine/chat/event.js';
import type { AttemptState } from '../engine/chat/fold.js';
import type { Message, ToolResultsMessage } from '../engine/chat/message.js';
import type { Reply } from '../engine/chat/reply.js';

/** What can be searched: messages by their role, replies under way or broken off as `assistant`, and titles of chats. */
export const SEARCH_ROLES = ['user', 'assistant', 'tool-results', 'summary', 'title'] as const;

export type SearchRole = (typeof SEARCH_ROLES)[number];

export function isSearchRole(value: unknown): value is SearchRole {
  return SEARCH_ROLES.some((role) => role === value);
}

/** Something said in a chat, whose texts are searched one by one. */
export interface Said {
  readonly chatId: string;
  /** Of its chat alone: the same key twice is the same thing said. */
  readonly key: string;
  /** The message's, or the attempt's of a reply that became no message (yet); null for a title. */
  readonly messageId: string | null;
  /** The attempt a reply came from; null for everything else. */
  readonly attemptId: string | null;
  readonly role: SearchRole;
  readonly texts: readonly string[];
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

/**
 * What an event says that is searched; null for nothing. Calls of tools, reasoning and blobs are not searched: of a
 * tool's text that is kept as a blob only the begin is, which is what its line and the panel show. A blob may be as
 * large as all logs together, and its bytes are no lines, so its search would be another one than that of the logs.
 */
export function saidBy(chatId: string, event: ChatEvent): Said | null {
  const { at, seq } = event;
  if (event.type === 'title') {
    return { chatId, key: event.id, messageId: null, attemptId: null, role: 'title', texts: [event.title], at, seq };
  }
  return event.type === 'message' ? saidByMessage(chatId, event.message, { at, seq }) : null;
}

/** The same of a message, which was logged `at`. */
export function saidByMessage(chatId: string, message: Message, logged: Pick<Said, 'at' | 'seq'>): Said | null {
  const texts = messageTexts(message);
  const attemptId = message.role === 'assistant' ? message.attemptId : null;
  return texts === null ? null : { chatId, key: message.id, messageId: message.id, attemptId, ...logged, ...texts };
}

/** A reply that became no message (yet). */
export function saidInAttempt(chatId: string, attempt: Pick<AttemptState, 'id' | 'reply' | 'startedAt'>): Said {
  const { id, startedAt } = attempt;
  return { chatId, key: id, messageId: id, attemptId: id, role: 'assistant', texts: replyTexts(attempt.reply), at: startedAt, seq: 0 };
}

function messageTexts(message: Message): Pick<Said, 'role' | 'texts'> | null {
  switch (message.role) {
    case 'user':
    case 'assistant':
      return { role: message.role, texts: textsOf(message.parts) };
    case 'tool-results':
      return { role: message.role, texts: resultTexts(message) };
    case 'summary':
      return { role: message.role, texts: [message.text] };
    case 'system-title':
    case 'title':
    case 'system-summary':
    case 'accounting':
    case 'error':
      // No part of the conversation; a title that was made is found as the title.
      return null;
  }
}

function resultTexts({ parts }: ToolResultsMessage): string[] {
  return textsOf(
    parts.flatMap(({ content }) => content.map((item) => (item.type === 'blob' ? { type: 'text', text: item.preview } : item))),
  );
}

function textsOf(parts: readonly { readonly type: string; readonly text?: string }[]): string[] {
  return parts.flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : []));
}

function replyTexts(reply: Reply): string[] {
  return textsOf(reply.filter((part) => part !== undefined));
}
