import { messageText } from './message.js';
import type { TimelineItem } from './fold.js';

/** A title is one line in a narrow sidebar. */
const TITLE_LENGTH = 60;

/** Enough of a message to recognise it. */
const PREVIEW_LENGTH = 100;

/** How a chat begins, as far as a list of chats shows it. */
export interface Opening {
  /** The first line of the first message; empty when that has no text. */
  readonly line: string;
  /** The first message, its white space folded. */
  readonly preview: string;
}

/** The beginning of a conversation; null when no user message is in it. */
export function openingOf(timeline: readonly TimelineItem[]): Opening | null {
  const first = timeline.find((item) => item.kind === 'message' && item.message.role === 'user');
  if (first?.kind !== 'message') {
    return null;
  }
  const text = messageText(first.message).trim();
  const [line = ''] = text.split('\n', 1);
  return { line: cut(line, TITLE_LENGTH), preview: cut(text.replace(/\s+/g, ' '), PREVIEW_LENGTH) };
}

/** Cuts between code points, so that no half of a surrogate pair is left over. */
function cut(text: string, length: number): string {
  const points = Array.from(text);
  return points.length <= length ? text : `${points.slice(0, length - 1).join('')}…`;
}
