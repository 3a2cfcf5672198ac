import type { Reply } from '../chat/reply.js';
import type { TokenCounter } from '../ports.js';

/** Tokens of a reply as far as it came, by `counter`: its text and reasoning, and the names and arguments of its tool calls. */
export function replyTokens(reply: Reply, counter: TokenCounter): number {
  return reply.reduce((sum, part) => {
    if (part === undefined) {
      return sum;
    }
    return sum + counter.count(part.type === 'toolCall' ? `${part.name}\n${part.rawArgs}` : part.text);
  }, 0);
}
