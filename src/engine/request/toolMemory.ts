import type { ChatConfig } from '../chat/settings/config.js';
import { lacksAllCalls, type ExcludedParts } from '../chat/excludedParts.js';
import { loadsTools, toolCallsOf, type SentMessage } from '../chat/message/message.js';
import type { Part } from '../model/part.js';
import { turnMap } from '../chat/turns.js';

export interface ToolMemory {
  /** Number of turns in which tool calls are still sent, after the turn that made the calls. Null: always. */
  readonly forgetAfterConclusions: ChatConfig['toolMemory'];
  readonly pinned: ReadonlySet<string>;
}

interface ChatMemory extends Pick<ToolMemory, 'pinned'> {
  readonly config: Pick<ChatConfig, 'toolMemory'>;
}

/** Returns the current tool memory of a chat. Copies the set `pinned`, because the chat changes it in place. */
export function toolMemoryOf({ config, pinned }: ChatMemory): ToolMemory {
  return { forgetAfterConclusions: config.toolMemory, pinned: new Set(pinned) };
}

/**
 * Returns the ids of the replies with forgotten tool calls: `(currentTurn - toolTurn) > forgetAfterConclusions`. The
 * calls of a running tool loop are in the current turn, so none of them is forgotten. A reply also keeps its calls in
 * these cases:
 * - The reply, or a message with its results, is pinned.
 * - Its results gave the model tools on demand, which later calls need.
 *
 * A request that Loupe makes for itself (`isInterlude`), such as for a summary, counts as part of the last turn. So it
 * contains everything that the previous request contained, and reads that from the cache.
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

/**
 * Returns the ids of the messages with results that have a reference, and whose turn has ended. Requests of later turns
 * send the reference instead of the content. Pinned results keep their content. `isInterlude`: see `forgottenReplies`.
 */
export function referencedResults(
  messages: readonly SentMessage[],
  { pinned }: Pick<ToolMemory, 'pinned'>,
  isInterlude: boolean,
): ReadonlySet<string> {
  const found = messages.flatMap((message, at) =>
    message.role === 'tool-results' && message.parts.some(({ reference }) => reference !== undefined) ? [{ id: message.id, at }] : [],
  );
  if (found.length === 0) {
    return new Set();
  }
  const { turns, current } = turnMap(messages);
  const currentTurn = isInterlude ? (turns.at(-1) ?? 0) : current;
  const newest = messages.findLastIndex(({ role }) => role === 'user');
  return new Set(found.flatMap(({ id, at }) => (!pinned.has(id) && (at < newest || (turns[at] ?? 0) < currentTurn) ? [id] : [])));
}

export interface HeldParts extends Pick<SentMessage, 'id' | 'role'> {
  readonly parts: readonly { readonly part: Part; readonly index: number }[];
}

/** Returns the messages without tool calls that are forgotten or excluded (`out`), and without their results. */
export function heldParts(
  messages: readonly SentMessage[],
  forgotten: ReadonlySet<string>,
  out: ExcludedParts['calls'],
): readonly HeldParts[] {
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

/** Whether the reply at index `at` or its results are pinned, or the results gave the model tools on demand. */
function stays(messages: readonly SentMessage[], at: number, pinned: ReadonlySet<string>): boolean {
  for (let place = at; place === at || messages[place]?.role === 'tool-results'; place += 1) {
    const message = messages[place];
    if (message !== undefined && (pinned.has(message.id) || loadsTools(message))) {
      return true;
    }
  }
  return false;
}
