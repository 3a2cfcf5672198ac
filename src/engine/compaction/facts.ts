import { isConversation, messageTexts, type SentMessage } from '../chat/message.js';
import type { TokenCounter } from '../ports.js';
import { errorFacts } from './errors.js';
import type { Fact, FactKind, Found } from './fact.js';
import { figureFacts } from './figures.js';
import { folded } from './folded.js';
import { identifierFacts } from './identifiers.js';
import { keptIn } from './keptIn.js';
import { linesOf } from './lines.js';
import { pathFacts } from './paths.js';
import { sentenceFacts } from './sentenceFacts.js';

export type { Fact, FactKind } from './fact.js';

/*
 * What must survive a summary. It favours recall: a line too many costs some tokens, a lost constraint costs the user's
 * trust. All patterns are linear in their text, and all texts are bounded.
 */

/** Of a longer text the first and last half of this are read: a person writes less, and the wish stands before or after what was pasted. */
const LONGEST_READ = 1_000_000;

/** Of a tool result only the beginning is read: the call can be made again, and most of a result is file content. */
const READ_OF_RESULT = 4_000;

/** Facts of a kind that a message gives, but for the user's constraints: a listing of 10,000 files would crowd out all else. */
const MOST_PER_KIND = 100;

/** A question older than this has mostly been answered. An exchange begins with a message of the user. */
const EXCHANGES_WITH_QUESTIONS = 3;

/** What is kept first when tokens are short: what binds, what was settled and what is open cannot be found again; files can. */
const ORDER: readonly FactKind[] = ['constraint', 'decision', 'question', 'error', 'path', 'figure', 'identifier'];

/**
 * The facts of the messages, each once, in the order of the conversation. Sentences are the same if only case, space and
 * marks differ. Deterministic.
 */
export function factsOf(messages: readonly SentMessage[]): readonly Fact[] {
  const facts = new Map<string, Fact>();
  const recent = firstRecent(messages);
  for (const [index, message] of messages.entries()) {
    const isOfUser = message.role === 'user';
    const counts = new Map<FactKind, number>();
    for (const { kind, text } of messageTexts(message).flatMap((one) =>
      isConversation(message) ? foundInText(one, index >= recent) : foundInResult(one),
    )) {
      const key = keyOf(kind, text);
      const count = counts.get(kind) ?? 0;
      const known = facts.get(key);
      const isUsersConstraint = isOfUser && kind === 'constraint';
      if (known !== undefined) {
        // What the user says again in the model's words is the user's.
        facts.set(key, { ...known, isOfUser: known.isOfUser || isOfUser });
      } else if (isUsersConstraint || count < MOST_PER_KIND) {
        counts.set(kind, count + 1);
        facts.set(key, { kind, text, messageId: message.id, isOfUser });
      }
    }
  }
  return [...facts.values()];
}

/** The facts of the messages that the text does not hold. */
export function lostFacts(messages: readonly SentMessage[], text: string): readonly Fact[] {
  const isHeld = keptIn(text);
  return factsOf(messages).filter((fact) => !isHeld(fact));
}

/** Whether the text holds the fact: word for word but for case, space and Markdown marks; a path or identifier as a whole word. */
export function isKept(fact: Fact, text: string): boolean {
  return keptIn(text)(fact);
}

/**
 * The facts that the summary lacks, to be appended word for word, each as an item of a list. The user's constraints are
 * always among them and use up the budget first; then by kind, the latest of a kind first, what the tokens left allow.
 * In the order of the conversation.
 */
export function missingLines(
  facts: readonly Fact[],
  summary: string,
  budget: { readonly tokens: number; readonly counter: TokenCounter },
): readonly Fact[] {
  const isInSummary = keptIn(summary);
  const missing = facts.filter((fact) => !isInSummary(fact));
  const bound = missing.filter(isUsersConstraint);
  const chosen = new Set(bound);
  let left = budget.tokens - bound.reduce((sum, fact) => sum + lineTokens(fact, budget.counter), 0);
  for (const kind of ORDER) {
    // A path in a constraint that is appended is kept with it.
    const isAppended = keptIn([...chosen].map(({ text }) => text).join('\n\n'));
    for (const fact of missing.filter((one) => one.kind === kind && !chosen.has(one) && !isAppended(one)).reverse()) {
      const tokens = left > 0 ? lineTokens(fact, budget.counter) : 0;
      if (left > 0 && tokens <= left) {
        chosen.add(fact);
        left -= tokens;
      }
    }
  }
  return missing.filter((fact) => chosen.has(fact));
}

function isUsersConstraint({ kind, isOfUser }: Fact): boolean {
  return kind === 'constraint' && isOfUser;
}

function lineTokens({ text }: Fact, counter: TokenCounter): number {
  return counter.count(`- ${text}\n`);
}

function foundInText(text: string, isRecent: boolean): Found[] {
  return readOf(text).flatMap((part) => {
    const lines = linesOf(part);
    return inOrder([
      ...sentenceFacts(lines, isRecent),
      ...errorFacts(lines),
      ...pathFacts(lines),
      ...figureFacts(lines),
      ...identifierFacts(lines),
    ]);
  });
}

function foundInResult(text: string): Found[] {
  const lines = linesOf(text.slice(0, READ_OF_RESULT));
  return inOrder([...errorFacts(lines), ...pathFacts(lines)]);
}

function inOrder(found: Found[]): Found[] {
  return found.sort((a, b) => a.at - b.at);
}

/** The parts of a text that are read. The last part begins with a line, or else a word, that is whole. */
function readOf(text: string): string[] {
  if (text.length <= LONGEST_READ) {
    return [text];
  }
  const last = text.slice(-LONGEST_READ / 2);
  const start = last.search(/\s/);
  return [text.slice(0, LONGEST_READ / 2), ...(start === -1 ? [] : [last.slice(start)])];
}

/** The index of the first message of the last exchanges. */
function firstRecent(messages: readonly SentMessage[]): number {
  const users = messages.flatMap(({ role }, index) => (role === 'user' ? [index] : []));
  return users.at(-EXCHANGES_WITH_QUESTIONS) ?? 0;
}

function keyOf(kind: FactKind, text: string): string {
  return `${kind}:${kind === 'path' || kind === 'identifier' ? text : folded(text)}`;
}
