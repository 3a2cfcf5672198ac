import { contentsOf } from './contents.js';
import { isSent, type SentMessage } from './message.js';
import type { Timeline } from './timeline.js';

/**
 * The shortest end of a conversation that begins at a user message and has more than `characters` characters; all of a
 * conversation that has no more. The transcript of this end is the end of the whole transcript: see `transcript`.
 */
export function endOfConversation(timeline: Timeline, characters: number): Timeline {
  let found = 0;
  const from = timeline.findLastIndex((item) => {
    const message = item.kind === 'message' && isSent(item.message) ? item.message : null;
    found += message === null ? 0 : charactersOf(message);
    return message?.role === 'user' && found > characters;
  });
  return timeline.slice(Math.max(0, from));
}

/** The length of a message: UTF-16 units of its texts and arguments, bytes of its blobs. Images count as 0. */
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
      case 'toolReference':
        return sum;
    }
  }, 0);
}
