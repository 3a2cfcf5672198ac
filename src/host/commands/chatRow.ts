import { type ChatListItem, chatPreview } from '../../protocol/panel/view.js';
import { age } from '../../protocol/numbers.js';

export interface ChatRow {
  readonly id: string;
  readonly label: string;
  /** The time since the last use of the chat. Empty for a chat that cannot be read. */
  readonly description: string;
  /** The start of the chat's first message, unless the title already shows the same text. */
  readonly detail: string;
}

export function chatRow({ id, title, preview, updatedAt }: ChatListItem, now: number): ChatRow {
  return {
    id,
    label: title,
    description: updatedAt > 0 ? age(updatedAt, now) : '',
    detail: chatPreview({ title, preview }),
  };
}
