import { countedAs } from '../../shared/numbers.js';

/**
 * When the model last called a tool, or any tool of a server; empty before the first reply.
 *
 * @param lastCall - number of replies after the one with the call; null without a call
 * @param replies - number of replies in the chat
 */
export function lastCallInWords(lastCall: number | null, replies: number): string {
  if (lastCall !== null) {
    return lastCall === 0 ? 'Called for the last reply.' : `Last called ${inReplies(lastCall)} ago.`;
  }
  return replies === 0 ? '' : `Not called in ${inReplies(replies)}.`;
}

function inReplies(count: number): string {
  return countedAs(count, 'reply', 'replies');
}
