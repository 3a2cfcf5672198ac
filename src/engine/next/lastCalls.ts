import { toolCallsOf, type Message } from '../chat/message/message.js';
import type { ChatState } from '../chat/state.js';
import { lastMessage, messagesOf } from '../chat/timeline.js';

/** The last calls of tools in the loaded part of a chat. */
export interface LastCalls {
  /** The number of replies that ended a turn. Such replies contain no tool call. */
  readonly replies: number;
  /** The number of turns since the last call of a tool, by the name for the model. Lacks tools never called. */
  readonly ago: ReadonlyMap<string, number>;
}

const NONE: LastCalls = { replies: 0, ago: new Map() };

const known = new WeakMap<Message, LastCalls>();

/** Returns when tools were last called. Cached per message, because the preview at each key press needs the result. */
export function lastCalls({ timeline }: Pick<ChatState, 'timeline'>): LastCalls {
  const last = lastMessage(timeline);
  if (last === undefined) {
    return NONE;
  }
  const calls = known.get(last) ?? read(messagesOf(timeline));
  known.set(last, calls);
  return calls;
}

function read(messages: readonly Message[]): LastCalls {
  const ago = new Map<string, number>();
  let replies = 0;
  for (const message of messages.toReversed()) {
    const called = message.role === 'assistant' ? toolCallsOf(message) : [];
    if (message.role === 'assistant' && called.length === 0) {
      replies += 1;
    }
    for (const { name } of called) {
      // `replies` includes the reply that ends the turn of the call, unless this turn is still running.
      ago.set(name, ago.get(name) ?? Math.max(0, replies - 1));
    }
  }
  return { replies, ago };
}
