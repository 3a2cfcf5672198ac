import type { ReplyFigures } from './slices/slice.js';
import { SLICES } from './slices/table.js';
import type { ChatState } from './state.js';

type SliceExport = (state: ChatState, figures: ReplyFigures) => readonly string[];

/** Returns the loaded part of a chat as Markdown, with `figures` for replies. A line counts the missing messages. */
export function chatMarkdown(state: ChatState, figures: ReplyFigures): string {
  const before = state.extent === 'end' ? state.earlier.messages : 0;
  const messages = before === 1 ? '1 earlier message is' : `${before.toLocaleString('en-US')} earlier messages are`;
  const [title = '', ...paragraphs] = Object.values(SLICES).flatMap(({ exported }) => (exported as SliceExport)(state, figures));
  return `${[title, ...(before === 0 ? [] : [`(${messages} not in this copy.)`]), ...paragraphs].join('\n\n')}\n`;
}

type UntouchedCheck = (state: ChatState) => boolean;

/** Returns whether the user has changed nothing but settings since the chat was created. */
export function isUntouched(state: ChatState): boolean {
  const isNothingBefore = state.extent === 'whole' || (state.earlier.messages === 0 && state.earlier.attempts === 0);
  return isNothingBefore && Object.values(SLICES).every(({ isUntouched: isSliceUntouched }) => (isSliceUntouched as UntouchedCheck)(state));
}
