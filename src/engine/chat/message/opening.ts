import type { Extent, Opening } from '../extent.js';
import { isSent, listedText, type SentMessage, type SummaryMessage } from './message.js';
import type { BranchState, Timeline } from '../timeline.js';

/** A title is one line in a narrow sidebar. */
export const TITLE_LENGTH = 60;

/** Enough of a message to recognise it. */
const PREVIEW_LENGTH = 100;

/** The title of a chat that has none, and no text to take it from. */
const UNTITLED = 'New chat';

/** The parts of the state that the title needs. */
export type Titled = BranchState & Extent & { readonly title: string | null };

/** The chat's title; without one, its first line. */
export function chatTitle(state: Titled): string {
  return titleOf(state.title, chatOpening(state));
}

export function titleOf(title: string | null, opening: Opening | null): string {
  const line = opening?.line ?? '';
  return title ?? (line === '' ? UNTITLED : line);
}

/** The beginning of the conversation, also when it is not loaded; null without a message. */
export function chatOpening(state: BranchState & Extent): Opening | null {
  return (state.extent === 'end' ? state.earlier.opening : null) ?? openingOf(state.timeline);
}

function openingOf(timeline: Timeline): Opening | null {
  for (const item of timeline) {
    if (item.kind === 'message' && (isSent(item.message) || item.message.role === 'summary')) {
      return openingBy(item.message);
    }
  }
  return null;
}

export function openingBy(message: SentMessage | SummaryMessage): Opening {
  const lines = listedText(message)
    .split('\n')
    .filter((each) => each.trim() !== '' && !FENCE.test(each))
    .map((each) => each.replace(/\s+/g, ' ').trim());
  const [line = ''] = lines;
  return { line: cutTo(line.replace(LAST_STOP, ''), TITLE_LENGTH), preview: cutTo(lines.join(' '), PREVIEW_LENGTH), role: message.role };
}

/** A line that opens or closes a block of code: it is no text. */
const FENCE = /^ {0,3}(?:`{3,}|~{3,})/;

/** A title is no sentence. Three dots stay. */
const LAST_STOP = /(?<=[^.])[.:]$/;

/** Cuts between code points, so that no half of a surrogate pair is left over. */
export function cutTo(text: string, length: number): string {
  const points = Array.from(text);
  return points.length <= length ? text : `${points.slice(0, length - 1).join('')}…`;
}
