import type { SentMessage } from '../../chat/message/message.js';
import type { TokenCounter } from '../../ports.js';
import type { Fact, FactKind } from '../fact.js';
import { factTest } from './keptIn.js';
import { MessageFacts } from './messageFacts.js';

export type { Fact, FactKind } from '../fact.js';

/* Finds the facts of messages, which must survive a summary, and the facts that a summary lacks. */

/** Maximum facts of one kind from a message, except the user's constraints. A list of files would hide other facts. */
const MOST_PER_KIND = 100;

/** Number of last turns whose plain questions are kept as facts. Older questions are usually answered. */
const EXCHANGES_WITH_QUESTIONS = 3;

/**
 * The order in which kinds of facts are kept, and the maximum share of the remaining tokens for each kind. Rules,
 * decisions and questions come first, because the model can find files again. Statements have two entries, because
 * there are many: the first gives them half of the remaining tokens, the last gives them what other kinds left.
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

/** After this many facts of a kind in a row that do not fit, the search for a shorter fact stops. */
const MOST_MISFITS = 20;

/** Returns the facts of the messages, each once, in the order of the conversation. */
export function factsOf(messages: readonly SentMessage[], read: MessageFacts): readonly Fact[] {
  const facts: Fact[] = [];
  const all = messages.map((message) => read.of(message));
  // Index in `facts` by fact number, or -1. For speed, because there are many facts: a `Map` takes three times as long.
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
        facts[place] = mergeFact(known, fact);
      } else if (hasRoom(fact, counts)) {
        places[fact.number] = facts.length;
        facts.push(fact);
      }
    }
  }
  return facts;
}

/** Merges a repeated fact. If the user repeats a fact of the model, the fact is treated as the user's. */
function mergeFact(known: Fact, again: Fact): Fact {
  return known.isOfUser || !again.isOfUser ? known : { ...known, isOfUser: true };
}

/** Counts the fact, and returns whether `MOST_PER_KIND` allows it. `counts` is null when no limit is needed. */
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

export function lostFacts(messages: readonly SentMessage[], text: string): readonly Fact[] {
  const isHeld = factTest(text);
  return factsOf(messages, new MessageFacts()).filter((fact) => !isHeld(fact));
}

interface Budget {
  readonly tokens: number;
  readonly counter: TokenCounter;
}

/**
 * Returns the facts to append to a summary that lacks them, word for word, in the order of the conversation. Always
 * includes the user's constraints, which use the budget first. Other facts follow by kind, the latest first, while they
 * fit.
 */
export function missingLines(facts: readonly Fact[], summary: string, budget: Budget): readonly Fact[] {
  const isInSummary = factTest(summary);
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

/** Adds facts to `chosen` within the budget, except facts that are part of a chosen fact. Returns the tokens used. */
function append(facts: readonly Fact[], chosen: Set<Fact>, { tokens, counter }: Budget): number {
  if (tokens <= 0 || facts.length === 0) {
    return 0;
  }
  const isAppended = factTest([...chosen].map(({ text }) => text).join('\n\n'));
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

/** Returns a fact as a line of a summary. A statement is in quotes, because it would otherwise look like a rule. */
export function lineOf({ kind, text }: Fact): string {
  return kind === 'statement' ? `“${text}”` : text;
}

function lineTokens(fact: Fact, counter: TokenCounter): number {
  return counter.count(`- ${lineOf(fact)}\n`);
}

function firstRecent(messages: readonly SentMessage[]): number {
  let turns = 0;
  const last = messages.findLastIndex(({ role }) => {
    turns += role === 'user' ? 1 : 0;
    return turns === EXCHANGES_WITH_QUESTIONS;
  });
  return Math.max(0, last);
}
