import { countedAs } from '../../shared/numbers.js';

/**
 * When the model last called a tool, or one of a server; empty before the first reply.
 *
 * @param lastCall - how many replies came after the one that called it: 0 for none; null where none did
 * @param replies - those of the chat
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
