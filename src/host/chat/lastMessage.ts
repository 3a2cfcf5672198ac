import type { Message } from '../../engine/chat/message/message.js';
import type { ChatState } from '../../engine/chat/state.js';
import type { BranchState, TimelineItem } from '../../engine/chat/timeline.js';
import { failure } from '../../engine/errors.js';
import type { ChatSession } from './chatSession.js';

/** Whether a chat has a message with this role. True for a partly loaded chat, whose other messages are unknown. */
export function hasMessage({ extent, timeline }: Pick<ChatState, 'extent' | 'timeline'>, role: Message['role']): boolean {
  return extent !== 'whole' || timeline.some((item) => item.kind === 'message' && item.message.role === role);
}

/** Returns the id of the last message with this role. Null without such a message. */
export async function lastMessage(session: Pick<ChatSession, 'state' | 'whole'>, role: Message['role']): Promise<string | null> {
  const find = ({ timeline }: BranchState): TimelineItem | undefined =>
    timeline.findLast((item) => item.kind === 'message' && item.message.role === role);
  const item = find(session.state) ?? find(await session.whole());
  return item?.kind === 'message' ? item.message.id : null;
}

/** Returns the id of the last reply. Rejects with `chat.noReply` in a chat without replies. */
export async function lastReply(session: Pick<ChatSession, 'state' | 'whole'>): Promise<string> {
  const id = await lastMessage(session, 'assistant');
  if (id === null) {
    throw failure('chat.noReply');
  }
  return id;
}
