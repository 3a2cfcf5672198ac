import { textMessage, type SentMessage } from '../chat/message.js';
import type { TokenCounter } from '../ports.js';
import { factsOf, missingLines, type Fact } from './facts.js';
import type { MessageFacts } from './messageFacts.js';

/** Heads the lines that were added to a summary. */
const KEPT_HEADING = 'Kept word for word:';

/**
 * What must survive the summary of `messages`, and of a summary before it: `lines` are those that were added to that one,
 * word for word. They are looked through as the user's words, so that a rule stays a rule.
 */
export function survivorsOf(messages: readonly SentMessage[], lines: readonly string[], read: MessageFacts): readonly Fact[] {
  return factsOf([...(lines.length === 0 ? [] : [textMessage('', lines.join('\n'))]), ...messages], read);
}

/** The summary, and behind it, word for word, what it lacks: the user's constraints, and the rest as far as `tokens` last. */
export function withSurvivors(
  summary: string,
  survivors: readonly Fact[],
  budget: { readonly tokens: number; readonly counter: TokenCounter },
): { readonly text: string; readonly lines: readonly string[] } {
  const lines = missingLines(survivors, summary, budget).map(({ text }) => text);
  return { text: lines.length === 0 ? summary : `${summary}\n\n${KEPT_HEADING}\n${lines.map((line) => `- ${line}`).join('\n')}`, lines };
}
