import { countedAs } from '../../shared/numbers.js';

/**
 * Describes when the model last called a tool, or any tool of a server. Empty before the first reply.
 *
 * @param lastCall - number of replies after the reply with the call. Null without a call
 * @param replies - number of replies that were searched for calls
 */
export function lastCallInWords(lastCall: number | null, replies: number): string {
  if (lastCall !== null) {
    return lastCall === 0 ? 'Called in the last reply.' : `Last called ${inReplies(lastCall)} ago.`;
  }
  return replies === 0 ? '' : `Not called in ${inReplies(replies)}.`;
}

function inReplies(count: number): string {
  return countedAs(count, 'reply', 'replies');
}
