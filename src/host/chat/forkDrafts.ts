import type { EventDraft } from '../../engine/chat/slices/table.js';
import type { ChatState } from '../../engine/chat/state.js';
import { transcript } from '../../engine/chat/transcript.js';
import { failure } from '../../engine/errors.js';
import { chatTitle } from './summary.js';

/**
 * What a fork begins with: the context, and the conversation up to and including the message or attempt `messageId`.
 * Throws `invalidInput` when that is not part of it. The state must be the whole chat's.
 */
export function forkDrafts(state: ChatState, messageId: string): EventDraft[] {
  const sent = transcript(state).messages;
  const at = sent.findIndex((message) => message.id === messageId || ('attemptId' in message && message.attemptId === messageId));
  if (at === -1) {
    throw failure('chat.notForkable');
  }
  // The results of its tool calls belong to it.
  const after = sent.findIndex((message, index) => index > at && message.role !== 'tool-results');
  const context = [...state.context.values()].map((item) => ({ type: 'context-added', item }) as const);
  const messages = sent.slice(0, after === -1 ? sent.length : after).map((message) => ({ type: 'message', runId: null, message }) as const);
  return [...context, ...messages, { type: 'title', title: `${chatTitle(state)} (fork)`, by: 'user' }];
}
