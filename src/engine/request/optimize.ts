import type { SentMessage } from '../chat/message.js';
import type { Model } from '../run/model.js';
import type { BlockFactory } from './blockFactory.js';
import type { Groups, Said } from './gather.js';
import { withDeferred } from './onDemandTools.js';
import { forgottenReplies, type ToolMemory } from './toolMemory.js';

export interface OptimizeInput {
  readonly model: Pick<Model, 'capabilities'>;
  readonly toolMemory: ToolMemory;
  /** All messages of the conversation, with those that hold results. */
  readonly messages: readonly SentMessage[];
  /** The keys of the tools that the model loads when it needs them. */
  readonly onDemand: ReadonlySet<string>;
  /** Null in a request for a reply. */
  readonly instruction: string | null;
}

export interface Optimized {
  readonly groups: Groups;
  /** Number of tools that are not offered, because the model takes none. */
  readonly toolsLeftOut: number;
}

/**
 * Decides which tools a request offers, and which tool calls with their results it holds. This is the only place that does: no
 * provider leaves out any. It says what of the conversation should leave (`CallsState`); the layout decides when.
 */
export function optimize(
  groups: Groups,
  { model, toolMemory, messages, onDemand, instruction }: OptimizeInput,
  factory: BlockFactory,
): Optimized {
  const forgotten = forgottenReplies(messages, toolMemory, instruction !== null);
  const isOffered = model.capabilities.tools;
  return {
    groups: {
      ...groups,
      tools: isOffered ? withDeferred(groups.tools, onDemand, factory) : [],
      // Most chats forget nothing, and a long conversation is not copied for it.
      conversation: forgotten.size === 0 ? groups.conversation : groups.conversation.map((said) => withoutForgotten(said, forgotten)),
    },
    toolsLeftOut: isOffered ? 0 : groups.tools.length,
  };
}

function withoutForgotten(said: Said, forgotten: ReadonlySet<string>): Said {
  return said.kind === 'reply' && forgotten.has(said.message.id) ? { ...said, calls: 'forgotten' } : said;
}
