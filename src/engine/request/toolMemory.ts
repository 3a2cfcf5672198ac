import type { ChatConfig } from '../chat/settings/config.js';
import { lacksAllCalls, type LeftOut } from '../chat/leftOut.js';
import { loadsTools, toolCallsOf, type SentMessage } from '../chat/message/message.js';
import type { Part } from '../model/part.js';
import { turnMap } from '../chat/turns.js';

/** What decides which tool calls a request forgets. */
export interface ToolMemory {
  /** For so many turns after their own, tool calls are remembered; null: always. */
  readonly forgetAfterConclusions: ChatConfig['toolMemory'];
  /** Ids of messages that the user wants to stay, whatever their age. */
  readonly pinned: ReadonlySet<string>;
}

interface ChatMemory extends Pick<ToolMemory, 'pinned'> {
  readonly config: Pick<ChatConfig, 'toolMemory'>;
}

/** The tool memory of a chat as it is now: the set of a chat changes in place. */
export function toolMemoryOf({ config, pinned }: ChatMemory): ToolMemory {
  return { forgetAfterConclusions: config.toolMemory, pinned: new Set(pinned) };
}

/**
 * The ids of the replies whose tool calls, with their results, a request forgets: those with
 * `(currentTurn - toolTurn) > forgetAfterConclusions`. A tool loop that is going on is in the current turn, so it loses nothing of its
 * own. A reply stays whole while it, or a message with its results, is pinned; and where its results have loaded tools: without them,
 * later calls would be of tools that the model does not have.
 *
 * A request for Loupe itself (`isInterlude`), such as for a summary, is made in the turn of the last message: it forgets nothing that
 * the request before it held, and so reads that from the cache.
 */
export function forgottenReplies(
  messages: readonly SentMessage[],
  { forgetAfterConclusions, pinned }: ToolMemory,
  isInterlude: boolean,
): ReadonlySet<string> {
  const forgotten = new Set<string>();
  if (forgetAfterConclusions === null) {
    return forgotten;
  }
  const { turns, current } = turnMap(messages);
  const currentTurn = isInterlude ? (turns.at(-1) ?? 0) : current;
  for (const [at, message] of messages.entries()) {
    const toolTurn = turns[at] ?? 0;
    const isOld = currentTurn - toolTurn > forgetAfterConclusions;
    if (isOld && message.role === 'assistant' && toolCallsOf(message).length > 0 && !stays(messages, at, pinned)) {
      forgotten.add(message.id);
    }
  }
  return forgotten;
}

/** A message with those of its parts that requests hold. */
export interface HeldParts extends Pick<SentMessage, 'id' | 'role'> {
  readonly parts: readonly { readonly part: Part; readonly index: number }[];
}

/**
 * What remains of messages whose replies in `forgotten` have lost their tool calls, and others those in `out`, with the results directly
 * behind them.
 */
export function heldParts(messages: readonly SentMessage[], forgotten: ReadonlySet<string>, out: LeftOut['calls']): readonly HeldParts[] {
  let lost: ReadonlySet<string> = new Set();
  return messages.map((message) => {
    const { id, role, parts } = message;
    let isForgotten = false;
    if (message.role === 'assistant') {
      lost = new Set(forgotten.has(id) ? toolCallsOf(message).map((call) => call.id) : out.get(id)?.keys());
      isForgotten = lacksAllCalls(message, lost);
    } else if (message.role === 'user') {
      lost = new Set();
    }
    const held = parts.map((part: Part, index) => ({ part, index }));
    return { id, role, parts: lost.size === 0 ? held : held.filter(({ part }) => isHeld(part, lost, isForgotten)) };
  });
}

function isHeld(part: Part, lost: ReadonlySet<string>, isForgotten: boolean): boolean {
  switch (part.type) {
    case 'toolCall':
      return !lost.has(part.id);
    case 'toolResult':
      return !lost.has(part.callId);
    case 'reasoning':
      return !isForgotten;
    case 'text':
    case 'image':
      return true;
  }
}

/** Whether the reply at `at` is pinned, or a message with results directly after it, or these have loaded tools. */
function stays(messages: readonly SentMessage[], at: number, pinned: ReadonlySet<string>): boolean {
  for (let place = at; place === at || messages[place]?.role === 'tool-results'; place += 1) {
    const message = messages[place];
    if (message !== undefined && (pinned.has(message.id) || loadsTools(message))) {
      return true;
    }
  }
  return false;
}
