import type { Extent, Opening } from '../extent.js';
import { isSent, listedText, type SentMessage, type SummaryMessage } from './message.js';
import type { BranchState, Timeline } from '../timeline.js';

/** Maximum number of characters in a title, which must fit into one line of a narrow sidebar. */
export const TITLE_LENGTH = 60;

/** Maximum number of characters in a preview, enough for the user to recognize the message. */
const PREVIEW_LENGTH = 100;

/** Title that is shown for a chat without a title and without text. */
const UNTITLED = 'New chat';

export type TitleSource = BranchState & Extent & { readonly title: string | null };

/** Returns the chat's title, or the first line of the chat if there is no title. */
export function chatTitle(state: TitleSource): string {
  return titleOf(state.title, chatOpening(state));
}

export function titleOf(title: string | null, opening: Opening | null): string {
  const line = opening?.line ?? '';
  return title ?? (line === '' ? UNTITLED : line);
}

/** Returns the beginning of the conversation, even if it is not loaded. Null without messages. */
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

/** A line that opens or closes a code block. */
const FENCE = /^ {0,3}(?:`{3,}|~{3,})/;

/** The final full stop or colon of a title, which is removed. Three dots are kept. */
const LAST_STOP = /(?<=[^.])[.:]$/;

/** Cuts a text between code points, so that no surrogate pair is split. */
export function cutTo(text: string, length: number): string {
  const points = Array.from(text);
  return points.length <= length ? text : `${points.slice(0, length - 1).join('')}…`;
}
