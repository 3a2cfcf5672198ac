import { textMessage, type SentMessage } from '../../chat/message/message.js';
import type { TokenCounter } from '../../ports.js';
import { factsOf, lineOf, missingLines, type Fact } from './facts.js';
import type { MessageFacts } from './messageFacts.js';

/** The heading of the lines that Loupe adds to a summary. */
export const KEPT_HEADING = 'Kept word for word:';

/**
 * Returns the facts that must survive a summary of `messages` and of an earlier summary. `lines` are the lines that
 * Loupe added to the earlier summary word for word. They are read like user text, so that a rule stays a rule.
 */
export function survivorsOf(messages: readonly SentMessage[], lines: readonly string[], read: MessageFacts): readonly Fact[] {
  return factsOf([...lines.map((line) => textMessage('', inContext(line, read))), ...messages], read);
}

/**
 * Restores the context that shows the kind of a kept line: the marks of a code span, or the heading of a list of rules.
 * Without this context, the next summary would lose the line. If a line could be a rule, it is treated as a rule.
 */
function inContext(line: string, read: MessageFacts): string {
  const statement = /^“(.*)”$/.exec(line)?.[1];
  if (statement !== undefined) {
    return statement;
  }
  const said = [line, `\`${line}\``, `Rules:\n- ${line}`];
  return said.find((text) => read.of(textMessage('', text)).some((fact) => fact.text === line && fact.kind !== 'statement')) ?? line;
}

/** Appends the facts that the summary lacks, word for word: the user's constraints, and other facts up to `tokens`. */
export function withSurvivors(
  summary: string,
  survivors: readonly Fact[],
  budget: { readonly tokens: number; readonly counter: TokenCounter },
): { readonly text: string; readonly lines: readonly string[] } {
  const lines = missingLines(survivors, summary, budget).map(lineOf);
  return { text: lines.length === 0 ? summary : `${summary}\n\n${keptList(lines)}`, lines };
}

/**
 * Adds a line to a summary, word for word, when the user restores a lost fact. `lines` are the lines kept so far, at
 * the end of `text`. If the user has removed these lines from `text`, the new line starts a new list.
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

/** Returns the lines that Loupe kept word for word: the list at the end of a summary. */
export function keptLines(text: string): readonly string[] {
  const at = text.lastIndexOf(KEPT_HEADING);
  const list = at === -1 ? '' : text.slice(at + KEPT_HEADING.length);
  return list.split('\n').flatMap((line) => (line.startsWith('- ') ? [line.slice(2)] : []));
}
