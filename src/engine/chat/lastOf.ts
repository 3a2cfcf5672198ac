import { contentsOf } from './contents.js';
import { isSent, type SentMessage } from './message.js';
import type { Timeline } from './timeline.js';

/**
 * The end of a conversation, from a user message on, as short as it can be with more than so many characters; all of
 * it where that has no more. What is sent of it is the end of what is sent of the whole: see `transcript`.
 */
export function lastOf(timeline: Timeline, characters: number): Timeline {
  let found = 0;
  const from = timeline.findLastIndex((item) => {
    const message = item.kind === 'message' && isSent(item.message) ? item.message : null;
    found += message === null ? 0 : charactersOf(message);
    return message?.role === 'user' && found > characters;
  });
  return timeline.slice(Math.max(0, from));
}

/** Of its text, as far as that is in the log. */
function charactersOf(message: SentMessage): number {
  return contentsOf([message]).reduce((sum, content) => {
    switch (content.type) {
      case 'text':
      case 'reasoning':
        return sum + content.text.length;
      case 'toolCall':
        return sum + content.rawArgs.length;
      case 'blob':
        return sum + content.bytes;
      case 'image':
      case 'toolResult':
        return sum;
    }
  }, 0);
}
