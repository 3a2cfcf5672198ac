import type { Load } from '../../../engine/compaction/policies/triggers.js';
import { promptBlocks } from '../../../engine/model/prompt.js';
import type { ComposedRequest } from '../composed.js';
import { scaledTokens } from '../sizeTexts.js';

/** Returns how a request divides its budget between the conversation and the rest. */
export function loadOf({
  prompt,
  budget,
  model,
  size,
  messages,
}: Pick<ComposedRequest, 'prompt' | 'budget' | 'model' | 'size' | 'messages'>): Load {
  // Carried calls are not counted. They are dropped automatically, so a summary makes no room there.
  const blocks = promptBlocks(prompt).filter(({ category, form }) => category === 'conversation' && form !== 'carried');
  const wire = prompt.messages.filter((message) => message.blocks.some((block) => blocks.includes(block)));
  const framing = wire.length * model.capabilities.framing.perMessage;
  const historyTokens = scaledTokens(
    blocks.reduce((sum, block) => sum + block.tokens, framing),
    size,
  );
  return { budget, fixedTokens: size.tokens - historyTokens, historyTokens, messages };
}
