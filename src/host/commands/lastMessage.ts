import type { Message } from '../../engine/chat/message.js';
import type { BranchState, TimelineItem } from '../../engine/chat/timeline.js';
import type { ChatSession } from '../chat/chatSession.js';

/** The id of the last message of a role; null when there is none in the conversation. */
export async function lastMessage(session: ChatSession, role: Message['role']): Promise<string | null> {
  const find = ({ timeline }: BranchState): TimelineItem | undefined =>
    timeline.findLast((item) => item.kind === 'message' && item.message.role === role);
  const item = find(session.state) ?? find(await session.whole());
  return item?.kind === 'message' ? item.message.id : null;
}
