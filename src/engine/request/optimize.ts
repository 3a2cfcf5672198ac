import type { ExcludedParts } from '../chat/excludedParts.js';
import { toolCallsOf, type SentMessage } from '../chat/message/message.js';
import type { ExclusionTime } from '../chat/slices/marks.js';
import { turnMap } from '../chat/turns.js';
import type { Model } from '../model/model.js';
import type { BlockFactory } from './blockFactory.js';
import type { ContentGroups, ConversationUnit } from './gather.js';
import { withDeferred } from './onDemandTools.js';
import { forgottenReplies, referencedResults, type ToolMemory } from './toolMemory.js';

export interface OptimizeInput {
  readonly model: Pick<Model, 'capabilities'>;
  readonly toolMemory: ToolMemory;
  readonly excluded: ExcludedParts;
  /** All messages of the conversation, with tool results. */
  readonly messages: readonly SentMessage[];
  readonly onDemand: ReadonlySet<string>;
  /** The instruction of a request that Loupe makes for itself. Null in a request for a reply. */
  readonly instruction: string | null;
}

export interface OptimizedRequest {
  readonly groups: ContentGroups;
  /** Whether the model supports tools. If not, the request offers no tools of the chat. */
  readonly offersTools: boolean;
  /** Number of tools that are not offered because the model does not support tools. */
  readonly toolsNotOffered: number;
}

/**
 * Selects the tools, turns and tool calls of a request. No other step selects them. The layout decides when excluded or
 * forgotten parts are removed (`CallExclusion`, `ExclusionState`).
 */
export function optimize(
  groups: ContentGroups,
  { model, toolMemory, excluded, messages, onDemand, instruction }: OptimizeInput,
  factory: BlockFactory,
): OptimizedRequest {
  const forgotten = forgottenReplies(messages, toolMemory, instruction !== null);
  const offersTools = model.capabilities.tools;
  return {
    groups: {
      ...groups,
      tools: offersTools ? withDeferred(groups.tools, onDemand, factory) : [],
      conversation: withReferences(
        withoutForgotten(withExclusions(groups.conversation, excluded, { messages, instruction }), forgotten),
        referencedResults(messages, toolMemory, instruction !== null),
      ),
    },
    offersTools,
    toolsNotOffered: offersTools ? 0 : groups.tools.length,
  };
}

/** Excludes the forgotten tool calls. Without such calls, as in most chats, returns the same list. */
function withoutForgotten(conversation: readonly ConversationUnit[], forgotten: ReadonlySet<string>): readonly ConversationUnit[] {
  return forgotten.size === 0
    ? conversation
    : conversation.map((said) =>
        said.kind === 'reply' && forgotten.has(said.message.id)
          ? {
              ...said,
              excludedCalls: new Map(toolCallsOf(said.message).map(({ id }) => [id, said.excludedCalls.get(id) ?? 'later'] as const)),
            }
          : said,
      );
}

/** Marks the results that this request replaces by their references. Without such results, returns the same list. */
function withReferences(conversation: readonly ConversationUnit[], referenced: ReadonlySet<string>): readonly ConversationUnit[] {
  return referenced.size === 0
    ? conversation
    : conversation.map((said) => {
        if (said.kind === 'user' || ![...said.results.values()].some(({ messageId }) => referenced.has(messageId))) {
          return said;
        }
        const results = [...said.results].map(([callId, located]) => {
          const isReference = referenced.has(located.messageId) && located.part.reference !== undefined;
          return [callId, isReference ? { ...located, form: 'reference' as const } : located] as const;
        });
        return { ...said, results: new Map(results) };
      });
}

/**
 * Marks the turns and tool calls that the user has excluded. A request for a summary contains none of them. Inside a
 * tool loop, even parts marked `now` are sent, because no layout rebuilds the prompt there.
 */
function withExclusions(
  conversation: readonly ConversationUnit[],
  { messages: turns, calls }: ExcludedParts,
  { messages, instruction }: Pick<OptimizeInput, 'messages' | 'instruction'>,
): readonly ConversationUnit[] {
  if (turns.size + calls.size === 0) {
    return conversation;
  }
  const isInLoop = turnMap(messages).hasToolsInCurrentTurn;
  const isRemovedNow = (leaves: ExclusionTime): boolean => instruction !== null || (leaves === 'now' && !isInLoop);
  return conversation.map((said): ConversationUnit => {
    const { id } = said.message;
    const turn = turns.get(id);
    if (turn !== undefined) {
      return { ...said, excludedWith: turn.turn, isRemovedNow: isRemovedNow(turn.removal) };
    }
    const out = said.kind === 'reply' ? calls.get(id) : undefined;
    return said.kind !== 'reply' || out === undefined
      ? said
      : { ...said, excludedCalls: new Map([...out].map(([callId, leaves]) => [callId, isRemovedNow(leaves) ? 'now' : 'later'] as const)) };
  });
}
