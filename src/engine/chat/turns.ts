import { toolCallsOf, type SentMessage } from './message/message.js';

/** The turns of a conversation. Here a turn ends with an assistant message without tool calls. */
export interface TurnMap {
  /** The turn number of each message, from 0. */
  readonly turns: readonly number[];
  /** The turn number of the next assistant message. */
  readonly current: number;
  /** Whether the assistant has called tools since the last user message and has not ended the turn. */
  readonly hasToolsInCurrentTurn: boolean;
}

/**
 * Counts the turns in one pass. A user message starts no turn; it only resets `hasToolsInCurrentTurn`. So the number of
 * turns between two messages depends only on the messages between them. It is the same if only the end of a chat is
 * loaded.
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
