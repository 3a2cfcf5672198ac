import type { Load } from '../compaction/policies/triggers.js';
import { promptBlocks } from '../model/prompt.js';
import type { ComposedRequest } from './compose.js';
import { scaledTokens } from '../record/requestSize.js';

/** Returns how many tokens of a request belong to the conversation, and how many to everything else. */
export function loadOf({
  prompt,
  budget,
  model,
  size,
  messages,
}: Pick<ComposedRequest, 'prompt' | 'budget' | 'model' | 'size' | 'messages'>): Load {
  // Excludes `carried` tool calls: Loupe drops these automatically, so a summary would not save their tokens.
  const blocks = promptBlocks(prompt).filter(({ category, form }) => category === 'conversation' && form !== 'carried');
  const wire = prompt.messages.filter((message) => message.blocks.some((block) => blocks.includes(block)));
  const framing = wire.length * model.capabilities.framing.perMessage;
  const historyTokens = scaledTokens(
    blocks.reduce((sum, block) => sum + block.tokens, framing),
    size,
  );
  return { budget, fixedTokens: size.tokens - historyTokens, historyTokens, messages };
}
