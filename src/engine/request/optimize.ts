import type { LeftOut } from '../chat/leftOut.js';
import { toolCallsOf, type SentMessage } from '../chat/message/message.js';
import type { Leaves } from '../chat/slices/marks.js';
import { turnMap } from '../chat/turns.js';
import type { Model } from '../model/model.js';
import type { BlockFactory } from './blockFactory.js';
import type { Groups, Said } from './gather.js';
import { withDeferred } from './onDemandTools.js';
import { forgottenReplies, type ToolMemory } from './toolMemory.js';

export interface OptimizeInput {
  readonly model: Pick<Model, 'capabilities'>;
  readonly toolMemory: ToolMemory;
  readonly leftOut: LeftOut;
  /** All messages of the conversation, with tool results. */
  readonly messages: readonly SentMessage[];
  readonly onDemand: ReadonlySet<string>;
  /** Null in a request for a reply. */
  readonly instruction: string | null;
}

export interface Optimized {
  readonly groups: Groups;
  /** Whether the model takes tools. If not, the request offers no tools of the chat. */
  readonly offersTools: boolean;
  /** Number of tools that are not offered because the model takes none. */
  readonly toolsLeftOut: number;
}

/**
 * Selects the tools, turns and tool calls of a request. No other step does this. The layout decides when excluded or
 * forgotten parts leave (`CallState`, `Leaving`).
 */
export function optimize(
  groups: Groups,
  { model, toolMemory, leftOut, messages, onDemand, instruction }: OptimizeInput,
  factory: BlockFactory,
): Optimized {
  const forgotten = forgottenReplies(messages, toolMemory, instruction !== null);
  const offersTools = model.capabilities.tools;
  return {
    groups: {
      ...groups,
      tools: offersTools ? withDeferred(groups.tools, onDemand, factory) : [],
      conversation: withoutForgotten(withoutLeftOut(groups.conversation, leftOut, { messages, instruction }), forgotten),
    },
    offersTools,
    toolsLeftOut: offersTools ? 0 : groups.tools.length,
  };
}

/** Returns the same list when no call is forgotten, as in most chats. */
function withoutForgotten(conversation: readonly Said[], forgotten: ReadonlySet<string>): readonly Said[] {
  return forgotten.size === 0
    ? conversation
    : conversation.map((said) =>
        said.kind === 'reply' && forgotten.has(said.message.id)
          ? { ...said, leaving: new Map(toolCallsOf(said.message).map(({ id }) => [id, said.leaving.get(id) ?? 'later'] as const)) }
          : said,
      );
}

/**
 * Marks what the user has excluded. A request for a summary holds none of it.
 * Inside a tool loop even `now` waits, because no layout rebuilds the prompt there.
 */
function withoutLeftOut(
  conversation: readonly Said[],
  { messages: turns, calls }: LeftOut,
  { messages, instruction }: Pick<OptimizeInput, 'messages' | 'instruction'>,
): readonly Said[] {
  if (turns.size + calls.size === 0) {
    return conversation;
  }
  const isInLoop = turnMap(messages).hasToolsInCurrentTurn;
  const leavesNow = (leaves: Leaves): boolean => instruction !== null || (leaves === 'now' && !isInLoop);
  return conversation.map((said): Said => {
    const { id } = said.message;
    const turn = turns.get(id);
    if (turn !== undefined) {
      return { ...said, leftOutWith: turn.turn, leavesNow: leavesNow(turn.leaves) };
    }
    const out = said.kind === 'reply' ? calls.get(id) : undefined;
    return said.kind !== 'reply' || out === undefined
      ? said
      : { ...said, leaving: new Map([...out].map(([callId, leaves]) => [callId, leavesNow(leaves) ? 'now' : 'later'] as const)) };
  });
}
