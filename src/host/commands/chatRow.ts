import type { ChatListItem } from '../../protocol/panel/view.js';
import { chatPreview } from '../../protocol/panel/chatPreview.js';
import { age } from '../../protocol/numbers.js';

/** A row of the list that *Open Chat* shows. */
export interface ChatRow {
  readonly id: string;
  readonly label: string;
  /** The age; empty for a chat that cannot be read. */
  readonly description: string;
  /** The beginning of its first message, without what the title says already. */
  readonly detail: string;
}

/** @param now - epoch milliseconds */
export function chatRow({ id, title, preview, updatedAt }: ChatListItem, now: number): ChatRow {
  return {
    id,
    label: title,
    description: updatedAt > 0 ? age(updatedAt, now) : '',
    detail: chatPreview({ title, preview }),
  };
}
