import type { Reply, ReplyPart } from '../chat/message/reply.js';
import type { Pause, TokenCounter } from '../ports.js';
import { countWithPauses } from '../tokens/countWithPauses.js';

/** Parts to count between two pauses: some milliseconds. */
const AT_ONCE = 1_000;

/**
 * Returns the tokens of a reply by `counter`: of its text and reasoning, and of the names and arguments of its tool
 * calls. Pauses, because a reply may have millions of characters or thousands of parts.
 */
export async function replyTokens(reply: Reply, counter: TokenCounter, pause: Pause): Promise<number> {
  let tokens = 0;
  for (const [index, part] of reply.entries()) {
    tokens += part === undefined ? 0 : await countWithPauses(replyPartText(part), counter, pause);
    if (index % AT_ONCE === AT_ONCE - 1) {
      await pause();
    }
  }
  return tokens;
}

/** Returns the text of a part to count. It only grows while the part streams. */
export function replyPartText(part: ReplyPart): string {
  return part.type === 'toolCall' ? `${part.name}\n${part.rawArgs}` : part.text;
}
