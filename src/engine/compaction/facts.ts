import type { SentMessage } from '../chat/message.js';
import type { TokenCounter } from '../ports.js';
import type { Fact, FactKind } from './fact.js';
import { keptIn } from './keptIn.js';
import { MessageFacts } from './messageFacts.js';

export type { Fact, FactKind } from './fact.js';

/*
 * What must survive a summary: the facts of its messages, and those of them that the summary lacks.
 */

/** Facts of a kind that a message gives, but for the user's constraints: a listing of 10,000 files would crowd out all else. */
const MOST_PER_KIND = 100;

/** A question older than this has mostly been answered. An exchange begins with a message of the user. */
const EXCHANGES_WITH_QUESTIONS = 3;

/** What is kept first when tokens are short: what binds, what was settled and what is open cannot be found again; files can. */
const ORDER: readonly FactKind[] = ['constraint', 'decision', 'question', 'error', 'path', 'figure', 'identifier'];

/** After so many facts of a kind in a row that do not fit into the tokens left, a shorter one is not looked for. */
const MOST_MISFITS = 20;

/** The facts of the messages, each once, in the order of the conversation. Deterministic. */
export function factsOf(messages: readonly SentMessage[], read: MessageFacts): readonly Fact[] {
  const facts = new Map<number, Fact>();
  const recent = firstRecent(messages);
  for (const [index, message] of messages.entries()) {
    const counts = new Map<FactKind, number>();
    for (const fact of read.of(message)) {
      if (fact.isPlainQuestion && index < recent) {
        continue;
      }
      const known = facts.get(fact.number);
      const count = counts.get(fact.kind) ?? 0;
      if (known === undefined && (isUsersConstraint(fact) || count < MOST_PER_KIND)) {
        counts.set(fact.kind, count + 1);
        facts.set(fact.number, fact);
      } else if (known?.isOfUser === false && fact.isOfUser) {
        // What the user says again in the model's words is the user's.
        facts.set(fact.number, { ...known, isOfUser: true });
      }
    }
  }
  return [...facts.values()];
}

/** The facts of the messages that the text does not hold. */
export function lostFacts(messages: readonly SentMessage[], text: string): readonly Fact[] {
  const isHeld = keptIn(text);
  return factsOf(messages, new MessageFacts()).filter((fact) => !isHeld(fact));
}

/** Whether the text holds the fact: word for word but for case, space and Markdown marks; a path or identifier as a whole word. */
export function isKept(fact: Fact, text: string): boolean {
  return keptIn(text)(fact);
}

interface Budget {
  readonly tokens: number;
  readonly counter: TokenCounter;
}

/**
 * The facts that the summary lacks, to be appended word for word, each as an item of a list. The user's constraints are
 * always among them and use up the budget first; then by kind, the latest of a kind first, what the tokens left allow.
 * In the order of the conversation.
 */
export function missingLines(facts: readonly Fact[], summary: string, budget: Budget): readonly Fact[] {
  const isInSummary = keptIn(summary);
  const missing = facts.filter((fact) => !isInSummary(fact));
  const chosen = new Set(missing.filter(isUsersConstraint));
  let left = budget.tokens - [...chosen].reduce((sum, fact) => sum + lineTokens(fact, budget.counter), 0);
  for (const kind of ORDER) {
    const others = missing.filter((fact) => fact.kind === kind && !chosen.has(fact));
    left -= append(others.reverse(), chosen, { ...budget, tokens: left });
  }
  return missing.filter((fact) => chosen.has(fact));
}

/** Adds to `chosen` what of the facts `budget` allows and no chosen one holds. Returns the tokens it takes. */
function append(facts: readonly Fact[], chosen: Set<Fact>, { tokens, counter }: Budget): number {
  if (tokens <= 0 || facts.length === 0) {
    return 0;
  }
  // A path in a constraint that is appended is kept with it.
  const isAppended = keptIn([...chosen].map(({ text }) => text).join('\n\n'));
  let [used, misfits] = [0, 0];
  for (const fact of facts) {
    if (used === tokens || misfits > MOST_MISFITS) {
      break;
    }
    if (isAppended(fact)) {
      continue;
    }
    const size = lineTokens(fact, counter);
    misfits += 1;
    if (used + size <= tokens) {
      chosen.add(fact);
      used += size;
      misfits = 0;
    }
  }
  return used;
}

function isUsersConstraint({ kind, isOfUser }: Fact): boolean {
  return kind === 'constraint' && isOfUser;
}

function lineTokens({ text }: Fact, counter: TokenCounter): number {
  return counter.count(`- ${text}\n`);
}

/** The index of the first message of the last exchanges. */
function firstRecent(messages: readonly SentMessage[]): number {
  const users = messages.flatMap(({ role }, index) => (role === 'user' ? [index] : []));
  return users.at(-EXCHANGES_WITH_QUESTIONS) ?? 0;
}
