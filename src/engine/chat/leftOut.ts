import { loadsTools, toolCallsOf, type AssistantMessage, type SentMessage } from './message/message.js';
import type { Exclusions, Leaves } from './slices/marks.js';

/** What the user has left out of the requests of a chat. */
export interface LeftOut {
  /** The messages of the turns that were left out, by id. */
  readonly messages: ReadonlyMap<string, LeftOutMessage>;
  /** When tool calls leave, with their results, by the ids of their replies and their own. */
  readonly calls: ReadonlyMap<string, ReadonlyMap<string, Leaves>>;
}

export interface LeftOutMessage {
  /** The id of the user message that begins its turn. */
  readonly turn: string;
  readonly leaves: Leaves;
}

export const NOTHING_LEFT_OUT: LeftOut = { messages: new Map(), calls: new Map() };

/**
 * What of the messages that may be sent the user has left out: a mark on a message of the user is for all that answers it, one on a
 * reply for its tool calls, or one of them, with their results: they cannot be sent without each other. The turn that is being answered stays whole
 * until it has been, and what has loaded tools stays: without it, later calls would be of tools that the model does not have. `pinned` are
 * messages from before the checkpoint, each for itself.
 */
export function leftOut(
  { pinned, messages }: { readonly pinned: readonly SentMessage[]; readonly messages: readonly SentMessage[] },
  exclusions: Exclusions,
): LeftOut {
  const { excluded, excludedCalls } = exclusions;
  if (excluded.size + excludedCalls.size === 0) {
    return NOTHING_LEFT_OUT;
  }
  const found = { messages: new Map<string, LeftOutMessage>(), calls: new Map<string, ReadonlyMap<string, Leaves>>() };
  for (const [at, message] of pinned.entries()) {
    mark(pinned, at, { turn: ownTurn(message, excluded), calls: callsOut(message, exclusions) }, found);
  }
  const end = endOfAnswered(messages);
  let turn: LeftOutMessage | null = null;
  for (const [at, message] of messages.slice(0, end).entries()) {
    turn = message.role === 'user' ? ownTurn(message, excluded) : turn;
    mark(messages, at, { turn, calls: callsOut(message, exclusions) }, found);
  }
  return found;
}

/** The calls of a message that are left out: all by a mark on it, or each by its own. */
function callsOut(message: SentMessage, { excluded, excludedCalls }: Exclusions): ReadonlyMap<string, Leaves> {
  const all = excluded.get(message.id);
  const single = excludedCalls.get(message.id);
  const calls = message.role === 'assistant' && (all !== undefined || single !== undefined) ? toolCallsOf(message) : [];
  return new Map(
    calls.flatMap(({ id }) => {
      const leaves = single?.get(id) ?? all;
      return leaves === undefined ? [] : [[id, leaves] as const];
    }),
  );
}

function ownTurn({ role, id }: SentMessage, excluded: Exclusions['excluded']): LeftOutMessage | null {
  const leaves = role === 'user' ? excluded.get(id) : undefined;
  return leaves === undefined ? null : { turn: id, leaves };
}

/** Marks a message and the results behind it. Results alone are never marked. */
function mark(
  messages: readonly SentMessage[],
  at: number,
  by: { readonly turn: LeftOutMessage | null; readonly calls: ReadonlyMap<string, Leaves> },
  found: { readonly messages: Map<string, LeftOutMessage>; readonly calls: Map<string, ReadonlyMap<string, Leaves>> },
): void {
  const round = roundAt(messages, at);
  const [message] = round;
  if (message === undefined || message.role === 'tool-results' || round.some(loadsTools)) {
    return;
  }
  if (by.turn !== null) {
    for (const { id } of round) {
      found.messages.set(id, by.turn);
    }
  } else if (by.calls.size > 0) {
    found.calls.set(message.id, by.calls);
  }
}

/** A message, and the tool results directly behind it. */
function roundAt(messages: readonly SentMessage[], at: number): readonly SentMessage[] {
  let end = at + 1;
  while (messages[end]?.role === 'tool-results') {
    end += 1;
  }
  return messages.slice(at, end);
}

/** Where the turn begins that is being answered, or waits for an answer; the number of messages where none does. */
export function endOfAnswered(messages: readonly SentMessage[]): number {
  const last = messages.at(-1);
  const isConcluded = last === undefined || (last.role === 'assistant' && toolCallsOf(last).length === 0);
  return isConcluded
    ? messages.length
    : Math.max(
        0,
        messages.findLastIndex(({ role }) => role === 'user'),
      );
}

/** Whether a reply has tool calls, and is sent without any of them. */
export function lacksAllCalls(message: AssistantMessage, out: Pick<ReadonlyMap<string, unknown>, 'has'>): boolean {
  const calls = toolCallsOf(message);
  return calls.length > 0 && calls.every(({ id }) => out.has(id));
}

/** The messages with those of their parts that the user has not left out. One of which nothing remains has none. */
export function withoutLeftOut(messages: readonly SentMessage[], { messages: turns, calls }: LeftOut): readonly SentMessage[] {
  let out: ReadonlyMap<string, Leaves> = new Map();
  return messages.map((message) => {
    if (turns.has(message.id)) {
      return { ...message, parts: [] };
    }
    switch (message.role) {
      case 'user':
        out = new Map();
        return message;
      case 'assistant':
        out = calls.get(message.id) ?? new Map<string, Leaves>();
        return out.size === 0 ? message : { ...message, parts: heldOf(message, out) };
      case 'tool-results':
        return out.size === 0 ? message : { ...message, parts: message.parts.filter(({ callId }) => !out.has(callId)) };
    }
  });
}

/** The parts of a reply that is sent without these calls: without any, the reasoning that led to them is not sent either. */
function heldOf(message: AssistantMessage, out: ReadonlyMap<string, Leaves>): AssistantMessage['parts'] {
  const isForgotten = lacksAllCalls(message, out);
  return message.parts.filter((part) => (part.type === 'toolCall' ? !out.has(part.id) : part.type === 'text' || !isForgotten));
}
