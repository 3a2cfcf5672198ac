import { toolCallsOf, type SentMessage } from './message/message.js';

/** The turns of a conversation. A turn is what the assistant does up to a conclusion: a message of its own that calls no tool. */
export interface TurnMap {
  /** The turn of each message, from 0. */
  readonly turns: readonly number[];
  /** The turn of what the assistant says next. */
  readonly current: number;
  /** Whether a tool loop is going on: the assistant has called tools, and neither concluded nor heard from the user since. */
  readonly hasToolsInCurrentTurn: boolean;
}

/**
 * Counts the turns in one pass. A message of the user opens no turn: it belongs to the one that is open, and only resets
 * `hasToolsInCurrentTurn`. The distance of two messages in turns follows from what is between them, so that a chat of which only the
 * end is loaded has the same distances as a whole one.
 */
export function turnMap(messages: readonly SentMessage[]): TurnMap {
  const turns: number[] = [];
  let current = 0;
  let hasToolsInCurrentTurn = false;
  for (const message of messages) {
    turns.push(current);
    if (message.role === 'user') {
      hasToolsInCurrentTurn = false;
    } else if (message.role === 'assistant') {
      hasToolsInCurrentTurn = toolCallsOf(message).length > 0;
      current += hasToolsInCurrentTurn ? 0 : 1;
    }
  }
  return { turns, current, hasToolsInCurrentTurn };
}
