import { textMessage, type SentMessage } from '../../chat/message/message.js';
import type { TokenCounter } from '../../ports.js';
import { factsOf, lineOf, missingLines, type Fact } from './facts.js';
import type { MessageFacts } from './messageFacts.js';

/** Heads the lines that were added to a summary. */
export const KEPT_HEADING = 'Kept word for word:';

/**
 * What must survive the summary of `messages`, and of a summary before it: `lines` are those that were added to that one,
 * word for word. They are looked through as the user's words, so that a rule stays a rule.
 */
export function survivorsOf(messages: readonly SentMessage[], lines: readonly string[], read: MessageFacts): readonly Fact[] {
  return factsOf([...lines.map((line) => textMessage('', inContext(line, read))), ...messages], read);
}

/**
 * A line as a message would say it. What made some lines facts stood around them: the marks of a code span, the heading of a list of
 * rules, the words before a quoted error. Without it they would be lost with the second summary. What may be a rule is one.
 */
function inContext(line: string, read: MessageFacts): string {
  const statement = /^“(.*)”$/.exec(line)?.[1];
  if (statement !== undefined) {
    return statement;
  }
  const said = [line, `\`${line}\``, `Rules:\n- ${line}`];
  return said.find((text) => read.of(textMessage('', text)).some((fact) => fact.text === line && fact.kind !== 'statement')) ?? line;
}

/** The summary, and behind it, word for word, what it lacks: the user's constraints, and the rest as far as `tokens` last. */
export function withSurvivors(
  summary: string,
  survivors: readonly Fact[],
  budget: { readonly tokens: number; readonly counter: TokenCounter },
): { readonly text: string; readonly lines: readonly string[] } {
  const lines = missingLines(survivors, summary, budget).map(lineOf);
  return { text: lines.length === 0 ? summary : `${summary}\n\n${keptList(lines)}`, lines };
}

/**
 * A checkpoint with one more line, word for word: the user brings back what it lost. `lines` are those that end its text; a text
 * that the user has rewritten may lack them, and gets a list of its own.
 */
export function withLine(
  { text, lines }: { readonly text: string; readonly lines: readonly string[] },
  line: string,
): { readonly text: string; readonly lines: readonly string[] } {
  const endsWithLines = lines.length > 0 && text.endsWith(keptList(lines));
  return { text: endsWithLines ? `${text}\n- ${line}` : `${text}\n\n${keptList([line])}`, lines: [...lines, line] };
}

function keptList(lines: readonly string[]): string {
  return `${KEPT_HEADING}\n${lines.map((line) => `- ${line}`).join('\n')}`;
}

/** The lines of a checkpoint's text that are kept word for word: the list at its end. */
export function keptLines(text: string): readonly string[] {
  const at = text.lastIndexOf(KEPT_HEADING);
  const list = at === -1 ? '' : text.slice(at + KEPT_HEADING.length);
  return list.split('\n').flatMap((line) => (line.startsWith('- ') ? [line.slice(2)] : []));
}
