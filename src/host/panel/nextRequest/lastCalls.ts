import { toolCallsOf, type Message } from '../../../engine/chat/message/message.js';
import type { ChatState } from '../../../engine/chat/state.js';

/** When tools of a chat were last called, in what is loaded of it. */
export interface LastCalls {
  /** Its replies that called no tool: each of these ends what the user asked for. */
  readonly replies: number;
  /** By the name that the model calls: how many replies came after the one that called it. What none of them called is not in it. */
  readonly ago: ReadonlyMap<string, number>;
}

const NONE: LastCalls = { replies: 0, ago: new Map() };

const known = new WeakMap<Message, LastCalls>();

/** Read once for each message: a preview at each key asks for the same. */
export function lastCalls({ timeline }: Pick<ChatState, 'timeline'>): LastCalls {
  const messages = timeline.flatMap((item) => (item.kind === 'message' ? [item.message] : []));
  const last = messages.at(-1);
  if (last === undefined) {
    return NONE;
  }
  const calls = known.get(last) ?? read(messages);
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
      // A call belongs to the reply behind it, and that of a run that goes on to the next one.
      ago.set(name, ago.get(name) ?? Math.max(0, replies - 1));
    }
  }
  return { replies, ago };
}
