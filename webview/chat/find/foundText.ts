import { textRanges } from './textRanges.js';

/** Name of the highlight, as `findBar.css` has it. */
const FOUND = 'loupe-found';

/** More than anyone looks at in one message. */
const MOST_MARKED = 200;

/** Marks a text in a message for as long as the message has the focus. Returns its first place; null without one. */
export function markFound(message: HTMLElement, text: string): Range | null {
  const ranges = textRanges(message, text, MOST_MARKED);
  CSS.highlights.set(FOUND, new Highlight(...ranges));
  message.addEventListener('blur', () => CSS.highlights.delete(FOUND), { once: true });
  return ranges[0] ?? null;
}
