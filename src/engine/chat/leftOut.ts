import { loadsTools, toolCallsOf, type SentMessage } from './message.js';
import type { Leaves } from './slices/marks.js';

/** What the user has left out of the requests of a chat. */
export interface LeftOut {
  /** The messages of the turns that were left out, by id. */
  readonly messages: ReadonlyMap<string, LeftOutMessage>;
  /** When the tool calls of replies leave, with their results, by the id of the reply. */
  readonly calls: ReadonlyMap<string, Leaves>;
}

export interface LeftOutMessage {
  /** The id of the user message that begins its turn. */
  readonly turn: string;
  readonly leaves: Leaves;
}

export const NOTHING_LEFT_OUT: LeftOut = { messages: new Map(), calls: new Map() };

/**
 * What of the messages that may be sent the user has left out: a mark on a message of the user is for all that answers it, one on a
 * reply for its tool calls and their results, which cannot be sent without each other. The turn that is being answered stays whole
 * until it has been, and what has loaded tools stays: without it, later calls would be of tools that the model does not have. `pinned` are
 * messages from before the checkpoint, each for itself.
 */
export function leftOut(
  { pinned, messages }: { readonly pinned: readonly SentMessage[]; readonly messages: readonly SentMessage[] },
  excluded: ReadonlyMap<string, Leaves>,
): LeftOut {
  if (excluded.size === 0) {
    return NOTHING_LEFT_OUT;
  }
  const found = { messages: new Map<string, LeftOutMessage>(), calls: new Map<string, Leaves>() };
  for (const [at, message] of pinned.entries()) {
    mark(pinned, at, { turn: ownTurn(message, excluded), calls: excluded.get(message.id) }, found);
  }
  const end = endOfAnswered(messages);
  let turn: LeftOutMessage | null = null;
  for (const [at, message] of messages.slice(0, end).entries()) {
    turn = message.role === 'user' ? ownTurn(message, excluded) : turn;
    mark(messages, at, { turn, calls: excluded.get(message.id) }, found);
  }
  return found;
}

function ownTurn({ role, id }: SentMessage, excluded: ReadonlyMap<string, Leaves>): LeftOutMessage | null {
  const leaves = role === 'user' ? excluded.get(id) : undefined;
  return leaves === undefined ? null : { turn: id, leaves };
}

/** Marks a message and the results behind it. Results alone are never marked. */
function mark(
  messages: readonly SentMessage[],
  at: number,
  by: { readonly turn: LeftOutMessage | null; readonly calls: Leaves | undefined },
  found: { readonly messages: Map<string, LeftOutMessage>; readonly calls: Map<string, Leaves> },
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
  } else if (by.calls !== undefined && message.role === 'assistant' && toolCallsOf(message).length > 0) {
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

/** The messages with those of their parts that the user has not left out. One of which nothing remains has none. */
export function withoutLeftOut(messages: readonly SentMessage[], { messages: turns, calls }: LeftOut): readonly SentMessage[] {
  let isLeftOut = false;
  return messages.map((message) => {
    isLeftOut = message.role === 'tool-results' ? isLeftOut : calls.has(message.id);
    if (turns.has(message.id) || (isLeftOut && message.role === 'tool-results')) {
      return { ...message, parts: [] };
    }
    return isLeftOut && message.role === 'assistant' ? { ...message, parts: message.parts.filter(({ type }) => type === 'text') } : message;
  });
}
