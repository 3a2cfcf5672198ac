import type { ChatSession } from './chatSession.js';

/** Whether nothing was said in a chat, added to it or named; its settings apart. */
export function isUntouched({ readOnly, state: { timeline, earlier, context, title } }: ChatSession): boolean {
  return readOnly === null && title === null && earlier === null && timeline.length === 0 && context.size === 0;
}
