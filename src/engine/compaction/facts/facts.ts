import type { SentMessage } from '../../chat/message/message.js';
import type { TokenCounter } from '../../ports.js';
import type { Fact, FactKind } from '../fact.js';
import { keptIn } from './keptIn.js';
import { MessageFacts } from './messageFacts.js';

export type { Fact, FactKind } from '../fact.js';

/*
 * What must survive a summary: the facts of its messages, and those of them that the summary lacks.
 */

/** Facts of a kind that a message gives, but for the user's constraints: a listing of 10,000 files would crowd out all else. */
const MOST_PER_KIND = 100;

/** A question older than this has mostly been answered. An exchange begins with a message of the user. */
const EXCHANGES_WITH_QUESTIONS = 3;

/**
 * What is kept first when tokens are short, and the share of the tokens left that it may take: what binds, what was settled, said and
 * open cannot be found again; files can. Statements are many: what they leave at first, they get when the other kinds have theirs.
 */
const ORDER: readonly { readonly kind: FactKind; readonly share: number }[] = [
  { kind: 'constraint', share: 1 },
  { kind: 'decision', share: 1 },
  { kind: 'question', share: 1 },
  { kind: 'statement', share: 0.5 },
  { kind: 'error', share: 1 },
  { kind: 'path', share: 1 },
  { kind: 'figure', share: 1 },
  { kind: 'identifier', share: 1 },
  { kind: 'statement', share: 1 },
];

/** After so many facts of a kind in a row that do not fit into the tokens left, a shorter one is not looked for. */
const MOST_MISFITS = 20;

/** The facts of the messages, each once, in the order of the conversation. Deterministic. */
export function factsOf(messages: readonly SentMessage[], read: MessageFacts): readonly Fact[] {
  const facts: Fact[] = [];
  const all = messages.map((message) => read.of(message));
  // Where a fact stands in `facts`, by its number; -1 before it does. Facts are many, and a map takes three times as long.
  const places = new Int32Array(read.size).fill(-1);
  const recent = firstRecent(messages);
  for (const [index, found] of all.entries()) {
    const counts = found.length > MOST_PER_KIND ? new Map<FactKind, number>() : null;
    for (const fact of found) {
      const place = places[fact.number] ?? -1;
      const known = facts[place];
      if (fact.isPlainQuestion && index < recent) {
        continue;
      }
      if (known !== undefined) {
        facts[place] = said(known, fact);
      } else if (hasRoom(fact, counts)) {
        places[fact.number] = facts.length;
        facts.push(fact);
      }
    }
  }
  return facts;
}

/** A known fact that stands in another message as well. What the user says again in the model's words is the user's. */
function said(known: Fact, again: Fact): Fact {
  return known.isOfUser || !again.isOfUser ? known : { ...known, isOfUser: true };
}

/** Whether a message may give one more fact, which is counted then. `counts` are those of the message; null when it has few. */
function hasRoom(fact: Fact, counts: Map<FactKind, number> | null): boolean {
  if (counts === null) {
    return true;
  }
  const count = counts.get(fact.kind) ?? 0;
  const isWithin = isUsersConstraint(fact) || count < MOST_PER_KIND;
  if (isWithin) {
    counts.set(fact.kind, count + 1);
  }
  return isWithin;
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
  const bound = missing.filter(isUsersConstraint);
  let left = budget.tokens - bound.reduce((sum, fact) => sum + lineTokens(fact, budget.counter), 0);
  if (left <= 0) {
    return bound;
  }
  const chosen = new Set(bound);
  for (const { kind, share } of ORDER) {
    const others = missing.filter((fact) => fact.kind === kind && !chosen.has(fact));
    left -= append(others.reverse(), chosen, { ...budget, tokens: Math.floor(left * share) });
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

/** A fact as it is appended to a summary. The quotes of a statement tell it from a rule that has no sign of its own. */
export function lineOf({ kind, text }: Fact): string {
  return kind === 'statement' ? `“${text}”` : text;
}

function lineTokens(fact: Fact, counter: TokenCounter): number {
  return counter.count(`- ${lineOf(fact)}\n`);
}

/** The index of the first message of the last exchanges. */
function firstRecent(messages: readonly SentMessage[]): number {
  let exchanges = 0;
  const last = messages.findLastIndex(({ role }) => {
    exchanges += role === 'user' ? 1 : 0;
    return exchanges === EXCHANGES_WITH_QUESTIONS;
  });
  return Math.max(0, last);
}
