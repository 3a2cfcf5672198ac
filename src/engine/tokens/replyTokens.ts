import type { Reply, ReplyPart } from '../chat/reply.js';
import type { TokenCounter } from '../ports.js';

/** Tokens of a reply so far, by `counter`: of its text and reasoning, and of the names and arguments of its tool calls. */
export function replyTokens(reply: Reply, counter: TokenCounter): number {
  return reply.reduce((sum, part) => (part === undefined ? sum : sum + counter.count(replyPartText(part))), 0);
}

/** The text of a part that is counted. It only grows while the part streams. */
export function replyPartText(part: ReplyPart): string {
  return part.type === 'toolCall' ? `${part.name}\n${part.rawArgs}` : part.text;
}
