import type { ChatState } from '../../engine/chat/fold.js';
import { messageText } from '../../engine/chat/message.js';
import type { ChatListItem } from '../../protocol/view.js';

/** What a chat is called before anything was said in it. */
const UNTITLED = 'New chat';

/** A title is one line in a narrow sidebar. */
const TITLE_LENGTH = 60;

/** Enough of a message to recognise it. */
const PREVIEW_LENGTH = 100;

export function chatTitle(state: ChatState): string {
  const [firstLine = ''] = firstMessageText(state).trim().split('\n', 1);
  return state.title ?? (firstLine === '' ? UNTITLED : cut(firstLine, TITLE_LENGTH));
}

/** A chat's row in the list. */
export function summarize(state: ChatState): ChatListItem {
  const messages = state.timeline.filter(
    (item) => item.kind === 'message' && (item.message.role === 'user' || item.message.role === 'assistant'),
  );
  return {
    id: state.chatId,
    title: chatTitle(state),
    preview: cut(firstMessageText(state).replace(/\s+/g, ' ').trim(), PREVIEW_LENGTH),
    messageCount: messages.length,
    updatedAt: state.updatedAt,
    running: [...state.runs.values()].at(-1)?.status === 'running',
  };
}

function firstMessageText(state: ChatState): string {
  const first = state.timeline.find((item) => item.kind === 'message' && item.message.role === 'user');
  return first?.kind === 'message' ? messageText(first.message) : '';
}

/** Cuts between code points, so that no half of a surrogate pair is left over. */
function cut(text: string, length: number): string {
  const points = Array.from(text);
  return points.length <= length ? text : `${points.slice(0, length - 1).join('')}…`;
}
